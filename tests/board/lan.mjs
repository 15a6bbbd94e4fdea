// A board that is shared with the network: the address with the key opens it, on this machine and by its number in the network, and
// nothing is answered without; guards against other hosts and pages stay.

import { spawn } from 'node:child_process';
import readline from 'node:readline';
import { Board, FAUVE, browse, check, equal } from './driver.mjs';

/** The program with its addresses. */
async function share() {
  const child = spawn(FAUVE, ['board', '--no-open', '--no-keep', '--port', '0', '--pause', '0', '--lan'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = [];
  await new Promise((done, fail) => {
    child.once('exit', (status) => fail(new Error(`fauve board ended with ${status}`)));
    readline.createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (line.startsWith('Ctrl-C')) done();
    });
  });
  child.removeAllListeners('exit');
  process.once('exit', () => child.kill('SIGKILL'));
  const found = (pattern) => lines.map((line) => pattern.exec(line)?.[1]).find(Boolean);
  return { local: found(/^The board is at (\S+)/), network: found(/^For other machines of this network: (\S+)/), stop: () => { child.kill('SIGINT'); return new Promise((done) => { child.once('exit', done); }); } };
}

const server = await share();
const browser = await browse();
try {
  const key = /^http:\/\/127\.0\.0\.1:\d+\/\?key=([0-9a-f]{32})$/.exec(server.local)?.[1];
  check(key, `the address on this machine: ${server.local}`);
  const { port } = new URL(server.local);
  // A machine without a network has its own address only.
  const addresses = [server.local, server.network].filter(Boolean);
  for (const address of addresses) {
    const { host, origin } = new URL(address);
    check(address.endsWith(`/?key=${key}`), `one key: ${address}`);
    const board = await Board.open(browser, address);
    const { page } = board;
    check(!(await page.url()).includes('key'), `the key has left the address: ${page.url()}`);
    await board.begin('chess');
    await board.step(await board.state(), 'e2e4');
    await page.reload({ waitUntil: 'load' });
    await board.ready();
    equal((await board.state()).turns.length, 1, 'the game after a reload');
    equal(await page.evaluate(() => document.cookie), '', 'scripts do not see the key');
    // The same board in another browser, which has no key.
    const other = await (await browser.createBrowserContext()).newPage();
    const answer = await other.goto(`${origin}/`);
    equal(answer.status(), 403, 'without the key');
    check(/shared with a key: open the whole address/.test(await other.evaluate(() => document.body.innerText)), 'and it is said how to come in');
    await other.close();
    // Whatever is asked for without the key, with another one, or with it at another place.
    const id = (await board.state()).id;
    for (const path of ['/', '/main.js', '/style.css', '/api/start', `/api/games/${id}`, `/api/games/${id}/events`, '/api/kept', '/nowhere', `/main.js?key=${key}`, '/?key=', `/?key=${key.slice(1)}`, `/?key=${key}0`]) {
      for (const cookie of ['', `fauve-${port}=${'0'.repeat(32)}`, `fauve-1=${key}`, `fauve-${port}=${key.slice(1)}`]) {
        const refused = await fetch(`${origin}${path}`, { headers: cookie ? { Cookie: cookie } : {}, redirect: 'manual' });
        equal(refused.status, 403, `${path} with the cookie "${cookie}"`);
      }
    }
    const send = (headers) => fetch(`${origin}/api/games`, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: '{"variant":"chess"}' }).then(({ status }) => status);
    const cookie = { Cookie: `fauve-${port}=${key}` };
    equal(await send({}), 403, 'a game without the key');
    equal(await send(cookie), 200, 'a game with the key');
    equal(await send({ ...cookie, Origin: origin }), 200, 'a game of its own page');
    for (const wrong of ['http://evil.example', `http://evil.example:${port}`, 'null', `http://10.9.8.7:${port}`]) equal(await send({ ...cookie, Origin: wrong }), 403, `a game of a page of ${wrong}`);
    equal(await send({ ...cookie, 'Sec-Fetch-Site': 'cross-site' }), 403, 'a game of another site');
    // A name that was made to point here is not this board, with and without the key.
    for (const name of [`evil.example:${port}`, `${host}.evil.example`, '127.0.0.1']) {
      const status = await raw(host, `GET / HTTP/1.1\r\nHost: ${name}\r\nCookie: fauve-${port}=${key}\r\nConnection: close\r\n\r\n`);
      equal(status, 421, `as ${name}`);
    }
    await board.close();
  }
  console.log(`lan: ${addresses.length === 2 ? 'by both addresses' : 'by the address of this machine (it has no network)'} the key opens the board, and without it nothing is answered`);
} finally {
  await browser.close();
  await server.stop();
}

/** The status of the answer to some bytes. */
async function raw(host, bytes) {
  const { connect } = await import('node:net');
  const { hostname, port } = new URL(`http://${host}`);
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.once('data', (chunk) => {
      socket.destroy();
      done(Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1]));
    });
    socket.once('error', fail);
  });
}
