// The thread of a FauveWorker.

import { Module } from "./fauve.mjs";

const isNode = typeof process === "object" && Boolean(process.versions?.node);
const port = isNode ? (await import("node:worker_threads")).parentPort : globalThis;

let module = null;
let stopped = false;

/** Where WebAssembly can wait for a promise, a search lets messages in. */
function suspension() {
    if (typeof WebAssembly.Suspending !== "function" || typeof WebAssembly.promising !== "function") {
        return null;
    }
    const { port1, port2 } = new MessageChannel();
    return () =>
        new Promise((resolve) => {
            port1.onmessage = resolve;
            port2.postMessage(null);
        });
}

async function answer(message) {
    if (message.flag !== undefined) {
        const suspend = message.suspend ? suspension() : null;
        module = await Module.load(message.load, suspend);
        const { flag } = message;
        module.wantsStop = flag ? () => Atomics.load(flag, 0) !== 0 : () => stopped;
        return { suspends: module.waits };
    }
    if ("tables" in message) {
        await module.loadTables(message.tables);
        return {};
    }
    if (message.ask.ask === "search") {
        stopped = false;
    }
    return module.ask(message.ask, (report) => port.postMessage({ id: message.id, report }));
}

async function heard(message) {
    if (message.stop) {
        stopped = true;
        return;
    }
    const { id } = message;
    try {
        port.postMessage({ id, answer: await answer(message) });
    } catch (error) {
        port.postMessage({ id, error: error.message });
    }
}

if (isNode) {
    port.on("message", heard);
} else {
    port.onmessage = (event) => heard(event.data);
}
