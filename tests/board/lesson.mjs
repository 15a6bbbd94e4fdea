// A new user's way: the program is started, the page opened, the first lesson of Cubes 4D found and done to its end, and a game
// begun; then the lessons of the other games, by clicks as well.

import { Board, browse, check, equal, serve } from './driver.mjs';

/** One answer to each task, as turns. */
const ANSWERS = {
  'Cubes 4D': [['right'], ['e6e8'], null, ['h7i8g'], ['f6g8']],
  Chess: [['d1d8'], ['e1g1'], ['d4e3'], ['c7c8q'], ['d5c7']],
  Superchess: [['A@f1'], ['e3e8'], ['a7a8n'], ['d4f5'], ['f4f6']],
  'Two-move chess': [['b8c6', 'c6d4'], ['e1e2', 'e2e3'], ['d1h5', 'f1b5'], ['e4d6', 'd6f5'], ['f1e3', 'e3c2']],
  DiceChess: [['e2e4', 'g1f3', 'f1c4'], ['d2d4', 'c1f4', 'e1d2'], ['a1e5', 'e5e8'], ['e1g1'], ['b7b8q', 'b8h8']],
};

const server = await serve();
const browser = await browse();
try {
  const board = await Board.open(browser, server.url);
  for (const [game, answers] of Object.entries(ANSWERS)) {
    let clicks = 0;
    const press = (text) => {
      clicks++;
      return board.press(text);
    };
    if (game !== 'Chess') await press(game);
    else await press(game).catch(() => {});
    await board.page.waitForFunction((name) => document.querySelector('#games [aria-current]')?.textContent === name, {}, game);
    // The way to it stands where the game is played, until the person has played.
    await board.page.waitForSelector('.welcome button');
    await press('First lesson');
    await board.page.waitForFunction(() => [...document.querySelectorAll('.lesson button')].some((button) => /lesson/.test(button.textContent)));
    await press('Begin the lesson');
    for (const [number, answer] of answers.entries()) {
      let state = await board.until((now) => now.lesson?.number === number && now.lesson.status === 'open', `lesson ${number + 1} of ${game}`);
      // First a wrong turn, where there is one of one step: it says so and can be tried again.
      if (game === 'Cubes 4D' && number === 1) {
        state = await board.step(state, 'h7h8');
        equal(state.lesson.status, 'failed', 'a wrong turn');
        await board.page.waitForFunction(() => [...document.querySelectorAll('button')].some((button) => button.textContent === 'Try again'));
        await press('Try again');
        state = await board.until((now) => now.lesson.status === 'open', 'another try');
      }
      for (const token of answer ?? [state.view.steps.find((step) => step.kind === 'cube').token]) {
        state = await board.step(state, token);
        clicks += 2;
      }
      equal(state.lesson.status, 'done', `${game}, lesson ${number + 1}: ${state.lesson.said}`);
      const last = number + 1 === answers.length;
      const next = last ? 'Play a game' : 'Next';
      await board.page.waitForFunction((text) => [...document.querySelectorAll('button')].some((button) => button.textContent === text), {}, next);
      await press(next);
    }
    const state = await board.until((now) => !now.lesson && now.black.kind === 'engine', 'a game after the lesson');
    equal(state.black.level, 1, 'the level after the lesson');
    check(clicks < 40, `${clicks} clicks`);
    console.log(`${game}: the first lesson in ${clicks} clicks, then a game at level 1`);
  }
  // The rules have their boards drawn, with the pieces that the text has, and nothing of them can be clicked.
  const { page } = board;
  for (const [game, diagrams, pieces, positions] of [['Chess', 10, 43, 0], ['Superchess', 4, 4, 1], ['Two-move chess', 6, 50, 0], ['DiceChess', 2, 42, 0], ['Cubes 4D', 5, 0, 1]]) {
    await board.press(game);
    await page.waitForFunction((name) => document.querySelector('#games [aria-current]').textContent === name, {}, game);
    await board.press('Learn');
    await page.waitForFunction((name) => document.querySelector('#panel h2')?.textContent.startsWith(name) && document.querySelector('#panel details'), {}, game);
    await page.evaluate(() => { document.querySelector('#panel details').open = true; });
    const seen = await page.evaluate(() => ({
      diagrams: document.querySelectorAll('.rules .diagram').length,
      pieces: document.querySelectorAll('.rules .diagram .piece').length,
      positions: [...document.querySelectorAll('.rules .drawn .board')].map((one) => one.querySelectorAll('.piece').length),
      names: [...document.querySelectorAll('.rules .diagram, .rules .drawn')].every((one) => one.getAttribute('role') === 'img' && one.getAttribute('aria-label')),
      open: [...document.querySelectorAll('.rules .drawn [tabindex]')].filter((one) => !one.closest('[inert]')).length,
      text: document.querySelector('.rules').innerText,
    }));
    equal([seen.diagrams, seen.pieces, seen.positions.length, seen.names, seen.open], [diagrams, pieces, positions, true, 0], `the boards in the rules of ${game}`);
    check(seen.positions.every((count) => count > 15), `the pieces of the position in the rules of ${game}: ${seen.positions}`);
    check(!/\*\*|```|^#|\|--/m.test(seen.text) && seen.text.length > 3000, `the text of the rules of ${game}`);
  }
  console.log('rules: the boards of all five games are drawn');
  await board.close();
} finally {
  await browser.close();
  await server.stop();
}
