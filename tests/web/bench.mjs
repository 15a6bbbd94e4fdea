// The benchmark in WebAssembly, in the words of `fauve bench`: node tests/web/bench.mjs [FOLDER]     dist/npm by default
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2] ?? "dist/npm"}/`);
const { Fauve } = await import(new URL("fauve.mjs", folder));
const fauve = await Fauve.load();
await fauve.loadTables();
for (const { name } of fauve.games().games) {
    const before = process.cpuUsage();
    const { nodes } = fauve.bench(name);
    const { user, system } = process.cpuUsage(before);
    console.log(`info string ${name} ${nodes} nodes ${Math.round((user + system) / 1000)} ms`);
}
