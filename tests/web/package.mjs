// The package for pages and Node.js, used as a program uses it: node tests/web/package.mjs [FOLDER]     dist/npm by default
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { test } from "node:test";

const folder = pathToFileURL(`${process.argv[2] ?? "dist/npm"}/`);
const { Fauve, FauveError, FauveWorker } = await import(new URL("fauve.mjs", folder));
const fauve = await Fauve.load();
const wasm = readFileSync(new URL("fauve.wasm", folder));

const refuses = (what, words) => assert.throws(what, (error) => error instanceof FauveError && words.test(error.message));

test("all games begin, and their rules have options", () => {
    const { games, version } = fauve.games();
    assert.deepEqual(
        games.map(({ name }) => name),
        ["chess", "superchess", "twomove", "dicechess", "cubes4d"],
    );
    assert.equal(version, JSON.parse(readFileSync(new URL("package.json", folder))).version);
    for (const { name, start, options } of games) {
        assert.equal(fauve.game(name).state().position, start);
        assert.ok(options.length > 0 || name === "chess");
        for (const option of options) {
            assert.ok(option.help && option.default !== undefined, option.name);
        }
    }
});

test("games are played by any spelling, told as SAN, taken back, and end", () => {
    const game = fauve.game("chess");
    assert.equal(game.turns().turns.length, 20);
    for (const text of ["f3", "e7-e5", "g2g4"]) {
        game.play(text);
    }
    assert.equal(game.parse("Qd8-h4").san, "Qh4#");
    const mated = game.play("d8h4");
    assert.deepEqual([mated.result, mated.winner, mated.end, mated.inCheck], ["0-1", "black", "Black wins by checkmate", true]);
    assert.deepEqual(
        game.history().turns.map(({ san }) => san),
        ["f3", "e5", "g4", "Qh4#"],
    );
    assert.deepEqual(game.turns().turns, []);
    refuses(() => game.play("a3"), /the game is over/);
    assert.equal(game.undo().result, "*");
    assert.match(game.pgn({ White: "Élise" }).pgn, /\[White "Élise"\][^]*1\. f3 e5 2\. g4 \*/);
});

test("turns of several steps may be made step by step", () => {
    const game = fauve.game("twomove");
    game.play("e4");
    assert.equal(game.play("e5").begun, "e7e5");
    assert.equal(game.state().side, "black");
    assert.equal(game.undo().begun, "");
    assert.equal(game.play("e5,Nc6").turns, 2);
    assert.ok(game.steps().steps.some(({ token }) => token === "d1h5"));
    const some = game.turns(5);
    assert.deepEqual([some.turns.length, some.complete], [5, false]);
});

test("dice are given, or come from a seed", () => {
    const game = fauve.game("dicechess", { seed: "2a" });
    assert.ok(game.state().awaitsRoll);
    refuses(() => game.play("e4"), /roll the dice first/);
    refuses(() => game.roll("PPX"), /not a roll|seed/);
    assert.equal(game.roll().dice, "PNK");
    refuses(() => game.roll(), /no roll is due/);
    const other = fauve.game("dicechess");
    refuses(() => other.roll(), /no seed/);
    assert.equal(other.play("PBK:e2e4,f1c4,e1e2").turns, 1);
    const { rolls, best } = other.search({ depth: 1 });
    assert.deepEqual([rolls.length, best], [56, null]);
});

test("PGN is read and written, with what could not be read named", () => {
    const [one, two] = fauve.read('[Variant "Superchess"]\r\n\r\n1. E@h1 *\r\n\r\n[White "x"]\r\n\r\n1. e4 e9 *\r\n');
    assert.equal(one.variant, "superchess");
    assert.equal(one.state().turns, 1);
    assert.ok(two instanceof FauveError, `${two}`);
    const again = fauve.read(one.pgn().pgn)[0];
    assert.equal(again.state().position, one.state().position);
});

test("what is wrong is refused with a sentence, and changes nothing", () => {
    const game = fauve.game("cubes4d");
    const before = game.state();
    refuses(() => game.play("e2e4"), /./);
    refuses(() => game.play("\u0000".repeat(1000)), /./);
    refuses(() => fauve.game("checkers"), /not known/);
    refuses(() => fauve.game("chess", { position: "8/8/8/8 w - -" }), /./);
    refuses(() => fauve.game("superchess", { options: { Array: 5000 } }), /Array takes 0 to 431/);
    refuses(() => fauve.game("superchess", { options: { Colour: true } }), /no rule switch/);
    refuses(() => fauve.game("dicechess", { seed: "xyz" }), /is not a seed/);
    refuses(() => fauve.ask({ ask: "state", game: 10 ** 6 }), /there is no game/);
    refuses(() => fauve.ask({ ask: "state", game: -1 }), /not understood/);
    refuses(() => fauve.ask({ ask: "everything" }), /not understood/);
    refuses(() => game.search({}), /needs a limit/);
    refuses(() => game.search({ nodes: 100, speed: 3 }), /not understood/);
    refuses(() => game.search({ nodes: 100, only: ["a1a1"] }), /not legal/);
    refuses(() => game.search({ nodes: 1.5 }), /not understood/);
    assert.deepEqual(game.state(), before);
    game.free();
    refuses(() => game.state(), /there is no game/);
});

test("searches repeat, report, and find mates", () => {
    const search = () => fauve.game("twomove").search({ nodes: 3000 });
    const [first, second] = [search(), search()];
    assert.deepEqual([first.best, first.score, first.nodes], [second.best, second.score, second.nodes]);
    assert.equal(first.nodes, 3000);
    const depths = [];
    const game = fauve.game("chess", { position: "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1" });
    const mate = game.search({ depth: 4, multipv: 2 }, ({ info }) => info?.multipv === 2 && depths.push(info.depth));
    assert.deepEqual([mate.best.san, mate.score], ["Ra8#", { mate: 1 }]);
    assert.ok(depths.length > 0);
    const weak = fauve.game("chess").search({ level: 1, depth: 20, seed: 7 });
    assert.ok(weak.best && weak.nodes < 100_000);
    const begin = performance.now();
    fauve.game("chess").search({ movetime: 300 });
    const took = performance.now() - begin;
    assert.ok(took > 250 && took < 5000, `${took} ms`);
});

test("endgame tables are taken once they are whole", async () => {
    const own = await Fauve.load({ wasm });
    const tables = readFileSync(new URL("twomove.tables", folder));
    const position = "7K/8/8/8/8/2k5/8/7Q b - - 0 1 2";
    await assert.rejects(own.loadTables(tables.subarray(0, tables.length / 2)), /incomplete/);
    const without = own.game("twomove", { position }).search({ nodes: 200 });
    await own.loadTables(tables);
    const withTables = own.game("twomove", { position }).search({ nodes: 200 });
    assert.ok("mate" in withTables.score, JSON.stringify([without, withTables]));
});

test("a module that is cut in half, or no module, is refused", async () => {
    await assert.rejects(Fauve.load({ wasm: wasm.subarray(0, wasm.length / 2) }), /damaged or not whole/);
    await assert.rejects(Fauve.load({ wasm: new URL("missing.wasm", folder) }), /missing\.wasm/);
});

for (const stop of ["shared", "restart"]) {
    test(`a worker's search is stopped (${stop}), and its games live on`, async () => {
        const worker = await FauveWorker.start({ stop });
        assert.equal(worker.stopsBy, stop);
        const freed = await worker.game("chess");
        await freed.free();
        const game = await worker.game("twomove");
        await game.play("e4");
        const [read] = await worker.read('[Variant "cubes4d"]\n\n1... left *');
        await assert.rejects(game.play("e4"), FauveError);
        let reports = 0;
        const thinking = game.search({ infinite: true }, () => {
            reports += 1;
        });
        await assert.rejects(game.search({ depth: 1 }), /a search is running/);
        // What is asked meanwhile is answered, during the search or after it.
        const asked = Promise.all([game.state(), worker.game("chess"), freed.state().catch((error) => error), worker.games()]);
        await new Promise((resolve) => {
            setTimeout(resolve, 700);
        });
        const begin = performance.now();
        worker.stop();
        const answer = await thinking;
        console.log(`${stop}: stopped in ${Math.round(performance.now() - begin)} ms`);
        assert.ok(answer.best && reports > 0);
        assert.ok(performance.now() - begin < (stop === "restart" ? 300 : 1000), "a stop waits for nothing");
        const during = game.state();
        const patience = new Promise((_, reject) => {
            setTimeout(() => reject(new Error("what was asked during or after the search is not answered")), 10_000).unref();
        });
        const [state, fresh, none, { games }] = await Promise.race([asked, patience]);
        assert.deepEqual([state.turns, (await during).turns, games.length], [1, 1, 5]);
        assert.ok(none instanceof FauveError);
        assert.equal((await fresh.play("e4")).turns, 1);
        // What it found is legal, and so is what comes next.
        assert.equal((await game.play(answer.best.token)).turns, 2);
        if (!(read instanceof FauveError)) {
            assert.equal((await read.state()).variant, "cubes4d");
        }
        assert.ok((await game.search({ nodes: 500 })).best);
        // Searches that are stopped at once, one after the other, have a turn each; the end comes in the middle of such a stop.
        for (let i = 0; i < 3; i++) {
            const short = game.search({ infinite: true });
            worker.stop();
            assert.ok((await short).best);
        }
        // Tables are asked for while another worker may be on its way; of two games that were read together one was given back.
        const [kept, given] = await worker.read('[Variant "chess"]\n\n1. e4 *\n\n[Variant "chess"]\n\n1. d4 *');
        await given.free();
        const broken = kept.search({ infinite: true });
        worker.stop();
        await broken;
        await Promise.race([worker.loadTables(), patience]);
        assert.equal((await kept.state()).turns, 1);
        await assert.rejects(given.state(), FauveError);
        const last = game.search({ infinite: true });
        await new Promise((resolve) => {
            setTimeout(resolve, 100);
        });
        worker.stop();
        assert.ok((await last).best);
        await worker.end();
        await assert.rejects(game.state());
    });
}

/** A worker that runs nothing: its searches never end, it dies when it is asked to, and it does not begin where `FAUVE_REFUSES` is set. */
const FEIGNED = new URL(
    `data:text/javascript,${encodeURIComponent(`
        import { parentPort as port } from "node:worker_threads";
        let games = 0;
        let isBusy = false;
        port.on("message", ({ id, ask }) => {
            if (!ask) {
                if (process.env.FAUVE_REFUSES) throw new Error("no memory");
                port.postMessage({ id, answer: { suspends: false } });
            } else if (ask.ask === "die") {
                throw new Error("out of memory");
            } else if (ask.ask === "search") {
                isBusy = true;
                port.postMessage({ id, report: { info: { multipv: 1, pv: ["e2e4"] } } });
            } else if (!isBusy) {
                port.postMessage({ id, answer: { game: ask.game ?? games++ } });
            }
        });
    `)}`,
);
const EMPTY = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));

/** That all of these are refused, and soon. */
const refused = (words, ...promises) => {
    const patience = new Promise((_, reject) => {
        setTimeout(() => reject(new Error("it is not answered")), 10_000).unref();
    });
    return Promise.all(
        promises.map((promise) => assert.rejects(Promise.race([promise, patience]), (error) => error instanceof FauveError && words.test(error.message))),
    );
};

test("a worker that has died refuses what waits and what is asked later", async () => {
    const worker = await FauveWorker.start({ wasm: EMPTY, worker: FEIGNED });
    const game = await worker.game("chess");
    await refused(/out of memory/, worker.ask({ ask: "die" }), game.state());
    await refused(/out of memory/, game.state(), worker.game("chess"), game.search({ depth: 1 }), worker.loadTables(new Uint8Array(1)));
    await worker.end();
});

test("where no new worker begins after a stop, what waits for it is refused", async () => {
    const worker = await FauveWorker.start({ wasm: EMPTY, worker: FEIGNED, stop: "restart" });
    const game = await worker.game("chess");
    let thinking;
    await new Promise((reported) => {
        thinking = game.search({ infinite: true }, reported);
    });
    const asked = game.state();
    process.env.FAUVE_REFUSES = "1";
    try {
        worker.stop();
        assert.equal((await thinking).best, "e2e4");
        await refused(/no memory/, asked, game.state(), worker.game("chess"));
    } finally {
        delete process.env.FAUVE_REFUSES;
    }
    await worker.end();
});
