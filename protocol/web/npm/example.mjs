// A game of two-move chess against the engine: node example.mjs
import { FauveWorker } from "fauve";

const fauve = await FauveWorker.start();
await fauve.loadTables();
const game = await fauve.game("twomove");
await game.play("e4");
while (!(await game.state()).end && (await game.state()).turns < 12) {
    const { best, score } = await game.search({ nodes: 2000 });
    await game.play(best.token);
    console.log(best.san, JSON.stringify(score));
}
console.log((await game.board()).board);
const { steps } = await game.steps();
console.log(steps.length, "moves can begin the next turn, such as", steps[0].san);
const thinking = game.search({ infinite: true }, ({ info }) => info && console.log("depth", info.depth, info.pv[0]?.san));
setTimeout(() => fauve.stop(), 500);
console.log("best:", (await thinking).best.san);
console.log((await game.pgn({ White: "me", Black: "Fauve" })).pgn);
await fauve.end();
