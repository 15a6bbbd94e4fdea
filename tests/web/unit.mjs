// The engine's unit tests in WebAssembly: node tests/web/unit.mjs MODULE     the test program, built for wasm32-wasip1
// There are no threads; the tests that need them are named here. A panic ends the module: the tests behind it run in another one.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { WASI } from "node:wasi";

/** Tests that need threads. */
const LEFT_OUT = new Set([
    "search::clock::tests::threads_meet_a_node_limit_together",
    "search::table::tests::concurrent_writers_never_produce_a_false_entry",
    "search::thread_pool::tests::jobs_are_done_at_the_same_time_and_by_the_same_threads_again",
    "search::thread_pool::tests::two_at_the_same_time_do_not_wait_for_each_other",
]);
/** Node.js 20 crashes where it compiles the module a second time, optimised, while that runs under WASI. */
const ENGINE = ["--no-warnings", "--liftoff", "--no-wasm-tier-up"];

const [path, ...words] = process.argv.slice(2);

/** Runs the test program with words in a process of its own; gives what it prints. */
function run(...words) {
    const { stdout, stderr, signal } = spawnSync(process.execPath, [...ENGINE, fileURLToPath(import.meta.url), path, ...words], { encoding: "utf8", maxBuffer: 1 << 26 });
    return signal ? `${stdout}${stderr}\nended by ${signal}` : stdout + stderr;
}

/** The names of the tests that are listed with words. */
const listed = (...words) => [...run("--list", ...words).matchAll(/^(.*): test$/gm)].map(([, name]) => name);

function all() {
    const names = listed();
    const ignored = new Set(listed("--ignored"));
    assert.ok(names.length > 150, `${names.length} tests`);
    assert.deepEqual([...LEFT_OUT].filter((name) => !names.includes(name)), [], "left out, but not there");
    let left = names.filter((name) => !ignored.has(name) && !LEFT_OUT.has(name));
    const [wanted, failed] = [left.length, []];
    while (left.length) {
        const said = run("--exact", "--nocapture", ...left);
        if (!said.includes("\nended by ") && said.includes(`test result: ok. ${left.length} passed; 0 failed`)) break;
        const last = [...said.matchAll(/^test (\S+)(?: - should panic)? \.\.\. /gm)].at(-1)?.[1];
        assert.ok(last, said.slice(-2000));
        failed.push(last);
        // Behind its output is what the panic or the module's end says.
        console.log(`FAILED ${last}\n${said.slice(said.lastIndexOf(`test ${last}`)).trim().split("\n").slice(0, 40).join("\n").slice(-2000)}\n`);
        left = left.slice(left.indexOf(last) + 1);
    }
    console.log(`${wanted - failed.length} passed, ${failed.length} failed, ${ignored.size} ignored, ${LEFT_OUT.size} left out because they need threads`);
    process.exitCode = failed.length ? 1 : 0;
}

if (words.length) {
    const wasi = new WASI({ version: "preview1", args: ["tests", ...words], returnOnExit: true });
    process.exitCode = wasi.start(await WebAssembly.instantiate(await WebAssembly.compile(readFileSync(path)), wasi.getImportObject()));
} else {
    all();
}
