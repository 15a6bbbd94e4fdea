// Every text that the page says by itself, in one place. What the rules say comes from the server.

const plural = (/** @type {number} */ n, /** @type {string} */ one, /** @type {string} */ many) => `${n} ${n === 1 ? one : many}`;

export const T = {
  games: /** @type {Record<string, string>} */ ({
    chess: 'Chess', superchess: 'Superchess', twomove: 'Two-move chess', dicechess: 'DiceChess', cubes4d: 'Cubes 4D', breakthrough: 'Breakthrough',
  }),
  about: /** @type {Record<string, string>} */ ({
    chess: 'The game that all the others come from.',
    superchess: 'Four superpieces a side, placed in a prologue; pawns become only what was replaced or captured.',
    twomove: 'Every turn is two moves. A king that two moves could take is in check.',
    dicechess: 'Three dice say which pieces may move. Capturing the king wins.',
    cubes4d: 'Pieces on a heap of 36 cubes, over trenches and bridges, and the cubes move, too.',
    breakthrough: 'Who first reaches the last rank wins.',
  }),
  tabs: /** @type {Record<string, string>} */ ({ play: 'Play', analyse: 'Analyse', learn: 'Learn', puzzles: 'Puzzles', games: 'Games', setup: 'Set up', match: 'Match' }),
  silent: 'The server does not answer: is fauve board still running? The page waits for it; your game is kept.',
  theme: /** @type {Record<string, string>} */ ({ auto: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' }),
  aria: {
    board: 'Board. Arrow keys move between squares, Enter selects, Escape cancels.',
    cubes: 'Cubes. Arrow keys move along the edges of the cells, Enter selects, Escape cancels.',
    solid: 'Cubes in three dimensions. Arrow keys move along the edges of the cells, Enter selects, Escape cancels, Q and E turn the heap.',
    empty: 'empty', selected: 'chosen', move: 'can go here', capture: 'can be taken', place: 'can be placed here', cube: 'the cube can go here',
    swap: 'can change places', castle: 'castles', source: 'can move', check: 'in check', danger: 'in danger of two moves',
    level: (/** @type {number} */ n) => `level ${n}`, trench: 'trench', table: 'table',
  },
  side: /** @type {Record<string, string>} */ ({ w: 'White', b: 'Black' }),
  toMove: (/** @type {string} */ side) => `${T.side[side]} to move`,
  human: 'You',
  person: 'Person',
  engine: (/** @type {number} */ level) => `Fauve, level ${level}`,
  rollDue: (/** @type {string} */ side) => `${T.side[side]} rolls the dice`,
  captured: 'Captured',
  ahead: (/** @type {number} */ n) => `ahead by ${n}`,
  thinking: 'thinking…',
  firstMove: 'first move',
  secondMove: 'second move',
  onlyMove: 'one move in this turn',
  check: 'Check',
  checkByTwo: 'Check: the king could be taken in two moves',
  partialTurn: 'This turn so far',
  takeBackStep: 'Take this step back',
  promote: 'The pawn becomes',
  chooseStep: 'Which of them?',
  keep: 'Keep them as they are',
  swap: 'Exchange two superpieces, or keep them as they are.',
  tray: 'Superpieces to be placed',
  pool: 'Pawns can become',
  poolEmpty: 'nothing',
  outside: 'Outside the game',
  left: 'Left', right: 'Right',
  pass: 'Pass',
  dangers: 'Where would the king be taken?',
  hideDangers: 'Hide the danger',
  reliefViews: { cubes: 'Cubes', numbers: 'From above', solid: '3-D' },
  notation: { title: 'How the cells are named', squares: 'Names: f8', counted: 'Names: (-2,0)' },
  solidHelp: 'Drag beside the pieces to turn the heap, or press Q and E; zoom with the wheel, + and -.',
  noSolid: 'This browser does not draw in three dimensions.',
  turnLeft: 'Turn to the left', turnRight: 'Turn to the right',
  flip: 'Turn the board',
  size: 'Size of the board',
  dice: {
    title: 'Dice',
    danger: (/** @type {number} */ n) => `King taken by the next roll as it stands: ${n} of 216, ${Math.round((n / 216) * 100)} %`,
    roll: 'Roll', die: (/** @type {number} */ n) => `Die ${n}`,
    show: 'Show seed and check', hide: 'Hide the seed',
    right: (/** @type {number} */ n) => `All ${plural(n, 'roll', 'rolls')} of this game follow from the seed.`,
    wrong: (/** @type {string} */ which) => `Rolls that the seed did not give: ${which}.`,
    spoiler: 'With the seed the rolls to come can be computed, so it is shown when asked for.',
    face: (/** @type {string} */ piece, /** @type {boolean} */ used) => `${piece}${used ? ', used' : ''}`,
  },
  play: {
    opponent: 'Opponent', me: 'I play', level: 'Level', clock: 'Clock', begin: 'New game',
    opponents: /** @type {Record<string, string>} */ ({ engine: 'The engine', person: 'A person here', watch: 'Nobody: watch the engine' }),
    sides: /** @type {Record<string, string>} */ ({ w: 'White', b: 'Black', random: 'Either' }),
    clocks: /** @type {Record<string, string>} */ ({ free: 'None', '1+1': '1 min + 1 s', '3+2': '3 min + 2 s', '10+5': '10 min + 5 s', '30+0': '30 min', own: 'Other…' }),
    levels: (/** @type {number} */ n, /** @type {number | null} */ elo) => `${n} · ${elo ? `${elo} Elo` : 'full strength'}${n === 1 ? ', for beginners' : ''}`,
    minutes: 'Minutes', increment: 'Seconds a turn',
    unfinished: 'This game is not over. The Back button leads to it.', stay: 'Go back to it', moveNow: 'Move now', askAgain: 'Ask it again', rematch: 'Rematch', switchSides: 'Switch sides', analyse: 'Analyse this game',
    points: (/** @type {string} */ n) => (n === '1' ? 'one point' : n === '0' ? 'no point' : 'half a point'), agreeSure: 'Do both players agree to a draw?', agreeYes: 'Agree',
    variation: 'A variation',
    hint: 'Hint', takeBack: 'Take back', resign: 'Resign', draw: 'Offer a draw', agree: 'Agree to a draw',
    none: 'No turn was made yet.', resignSure: 'Really resign?', yes: 'Resign', no: 'Play on',
    first: 'First position', previous: 'Back', next: 'Forward', last: 'Last position',
    viewing: (/** @type {number} */ n) => (n ? `After turn ${n}` : 'The first position'), back: 'Back to the game',
    fromHere: 'Play on from here', hintSays: (/** @type {string} */ san, /** @type {string} */ score) => `${san} (${score})`,
  },
  analyse: {
    on: 'Analyse', off: 'Stop', lines: 'Lines', threads: 'Threads', hash: 'Memory (MB)', depth: (/** @type {any} */ l) => `depth ${l.depth}, ${short(l.nodes)} nodes`,
    idle: 'The engine looks at the position for as long as you like.', waiting: 'Searching…', over: 'The game is over here.',
    win: (/** @type {number} */ p) => `${(p * 100).toFixed(1)} %`, expectation: 'White expects', step: 'Play this line as a variation',
    arrows: 'Arrows', review: 'Assess the whole game', stopReview: 'Stop', effort: 'Positions a turn',
    reviewed: (/** @type {number} */ n, /** @type {number} */ all) => `${n} of ${plural(all, 'turn', 'turns')} assessed`,
    graph: 'White’s expected points, turn by turn', mistakes: 'Mistakes', best: 'best', lost: (/** @type {number} */ e) => `lost ${(e * 100).toFixed(0)} %`,
    luck: 'Luck', error: 'Error', staticEval: 'What each piece is worth here', hideStatics: 'Hide',
    static: (/** @type {string} */ s) => `Static evaluation ${s}, from White’s point of view`, noMistakes: 'No mistake was found.',
  },
  report: { accuracy: 'Accuracy', best: 'Best turns', inaccuracies: 'Inaccuracies', mistakes: 'Mistakes', blunders: 'Blunders' },
  retry: {
    begin: (/** @type {string} */ side, /** @type {number} */ n) => `Learn from ${plural(n, 'mistake', 'mistakes')} of ${T.side[side]}`,
    title: (/** @type {number} */ n, /** @type {number} */ all) => `Mistake ${n} of ${all}`,
    task: (/** @type {string} */ san, /** @type {number} */ loss, /** @type {string} */ side) => `${san} lost ${percent(loss)}. Find a better turn for ${T.side[side]}.`,
    asked: 'Looking at it…', same: (/** @type {string} */ san) => `${san} is what was played. Find another one.`,
    wrong: (/** @type {string} */ san, /** @type {number} */ loss) => `${san} loses ${percent(loss)}. Try again.`,
    right: (/** @type {string} */ san, /** @type {number} */ loss, /** @type {string} */ best) => `${san} is good${loss > 0 ? `: it loses ${percent(loss)} against ${best}` : ''}.`,
    hinted: (/** @type {string} */ piece) => `Look at the ${piece}.`, hintedCube: 'It begins on the square with the circle.', shown: (/** @type {string} */ san) => `${san} was best.`,
    done: (/** @type {number} */ n, /** @type {number} */ all) => `That was all: ${n} of ${all} found without help.`,
    hint: 'Hint', show: 'Show the solution', next: 'Next', again: 'Once more', leave: 'Stop learning', back: 'Back to the position',
  },
  premove: {
    title: 'Premove', cancel: 'Cancel it', set: (/** @type {string} */ from, /** @type {string} */ to) => `Premove ${from} ${to}`,
    noDice: 'In DiceChess nothing can be moved in advance: the dice of your turn are not rolled yet.',
    impossible: (/** @type {string} */ from, /** @type {string} */ to) => `The premove ${from}–${to} is not possible now.`,
  },
  picture: { title: 'Picture', view: 'View', svg: 'Save as SVG', png: 'Save as PNG', failed: 'The browser does not make this picture.' },
  looks: {
    title: 'Board and sounds', board: 'Colours', pieces: 'Pieces', sounds: 'Sounds',
    boards: /** @type {Record<string, string>} */ ({ slate: 'Slate', wood: 'Wood', forest: 'Forest', contrast: 'High contrast' }),
    sets: /** @type {Record<string, string>} */ ({ drawn: 'Figures', letters: 'Letters' }),
  },
  typed: {
    label: 'Type a turn', hint: 'Type a turn: e4, Nf3, e2e4 … (key /)', wait: 'It is not your turn.', over: 'The game is over here.',
  },
  notes: {
    comment: 'Comment', signsOf: 'Annotation symbols of this turn', more: 'More symbols', promote: 'Promote the variation', delete: 'Delete from here',
    signs: /** @type {Record<number, string>} */ ({
      1: 'good', 2: 'mistake', 3: 'brilliant', 4: 'blunder', 5: 'interesting', 6: 'doubtful', 10: 'equal', 13: 'unclear', 14: 'White is slightly better', 15: 'Black is slightly better',
      16: 'White is better', 17: 'Black is better', 18: 'White is winning', 19: 'Black is winning',
    }),
  },
  keys: {
    title: 'Keys', list: /** @type {[string, string][]} */ ([
      ['← →', 'back and forward through the game'], ['↑ ↓', 'to another line that begins here'], ['Home End', 'to the ends of the line'], ['f', 'turn the board'], ['a', 'analysis on or off'], ['h', 'hint'], ['/', 'type a turn'],
      ['Arrows', 'on the board: over its squares'], ['Enter', 'on the board: select the square'], ['Esc', 'cancel the selection or a premove'], ['Backspace', 'on the board: take a step of the turn back'],
      ['Right button', 'draw arrows and circles; with Shift, Ctrl or Alt in other colours'], ['?', 'these keys'],
    ]),
  },
  puzzles: {
    title: 'Puzzles', none: 'There are no puzzles for this game.', about: 'Positions from games of the engine. One turn alone forces mate, or is far better than every other one. They begin easy.',
    begin: 'Begin', goOn: 'Go on', any: 'Any puzzle', next: 'Next puzzle', again: 'Try again', hint: 'Hint', show: 'Show the solution', goesOn: 'Show how it goes on', leave: 'Leave the puzzles',
    number: (/** @type {number} */ n, /** @type {number} */ all) => `Puzzle ${n} of ${all}`,
    task: (/** @type {string} */ side, /** @type {number} */ mate) => (mate ? `${side} to move: mate in ${mate}.` : `${side} to move: find the best turn.`),
    rating: (/** @type {number | null | undefined} */ elo) => (elo ? `Rated ${elo}: the engine finds it from this Elo on.` : 'Only the engine at full strength finds it.'),
    done: (/** @type {string} */ san) => `${san} is right.`, further: 'Right. How does it go on?',
    failed: (/** @type {number} */ mate) => (mate ? 'That does not mate in time.' : 'Another turn is better.'), shown: (/** @type {string} */ line) => `The solution is ${line}.`,
    standing: (/** @type {number} */ solved, /** @type {number} */ all, /** @type {number} */ streak, /** @type {number} */ best) => `${solved} of ${all} solved without a wrong turn. In a row: ${streak}, at most ${best}.`,
  },
  learn: {
    lesson: 'First lesson', of: (/** @type {number} */ n, /** @type {number} */ all) => `${n} of ${all}`, next: 'Next', again: 'Try again', begin: 'Begin the lesson',
    goOn: 'Go on with the lesson', finished: 'That was the first lesson. Now play: the engine’s level 1 is gentle.', play: 'Play a game', rules: 'Rules', previous: 'Back',
    restart: 'Once more', leave: 'Leave the lesson', list: 'Five positions, each with a task', drawn: 'A drawn board', none: 'There is no lesson for this game yet.',
  },
  files: {
    open: 'Open PGN or a match record', save: 'Save as PGN', copy: 'Copy the position', link: 'Copy a link', copied: 'Copied.', cannotCopy: 'The browser does not let us copy: here it is.',
    found: (/** @type {number} */ shown, /** @type {number} */ found, /** @type {number} */ all) => {
      const of = found === all ? '' : ` of ${all.toLocaleString('en')}`;
      return shown < found ? `The first ${shown.toLocaleString('en')} of ${found.toLocaleString('en')} games${of && ` that fit,${of} in the file`}` : `${found.toLocaleString('en')}${of} ${all === 1 ? 'game' : 'games'}`;
    },
    yours: 'Your games', noneYet: 'No game is kept yet: each is, once a turn was made.',
    search: 'Search: names, event, result', show: 'Show', paste: 'or paste it here', read: 'Read',
    position: 'Position', header: ['White', 'Black', 'Result', 'Turns'],
    kept: 'Games kept by this browser', alone: 'This page plays without a server. Matches and their records, other engines and more than one processor need the program fauve.',
  },
  setup: {
    title: 'Set up a position', start: 'Start position', empty: 'Clear the board', fen: 'Position string', side: 'To move', play: 'Play from here', analyse: 'Analyse it',
    good: 'This position can be played.', tools: 'Drag pieces about, or choose one and click squares.', remove: 'Remove', raise: 'Add a cube', lower: 'Take a cube away',
    hand: 'Move', board: 'Position of the game', castling: 'May castle', passing: 'En passant', none: 'none', moves: 'Moves of this turn', dice: 'Give the dice', noDice: 'Dice to be rolled',
    rights: { K: 'king’s side', Q: 'queen’s side', R: 'Rook', B: 'Bishop' }, phase: 'Phase', prologue: 'Prologue', game: 'Game', add: 'add…', addOf: (/** @type {string} */ side) => `${side}, add a piece`,
    takeOut: (/** @type {string} */ piece) => `Take out: ${piece}`, dropped: 'Rights that this board does not give were dropped.',
  },
  match: {
    title: 'Match', none: 'No record is followed. Start the program with a record: fauve board match.jsonl',
    games: (/** @type {number} */ n, /** @type {number} */ all) => (all ? `${n} of ${all} games` : plural(n, 'game', 'games')),
    player: 'Player', points: 'Points', elo: 'Elo', cross: 'Cross table', test: 'Sequential test', course: 'Elo as the match went', latest: 'Games', playing: 'Being played', turns: (/** @type {number} */ n) => plural(n, 'turn', 'turns'), watch: 'Watch', live: 'This game is being played in the match: its turns come as they are made. What you try here becomes a variation.', wdl: 'Won, drawn, lost',
    range: (/** @type {any} */ t) => `H0 Elo ${t.elo0}, H1 Elo ${t.elo1}; bounds ${t.lower.toFixed(2)} to ${t.upper.toFixed(2)}`, running: 'undecided so far',
    plus: (/** @type {number | null} */ e, /** @type {number | null} */ d) => (e === null ? '–' : `${e >= 0 ? '+' : '−'}${Math.abs(e).toFixed(0)}${d === null ? '' : ` ± ${d.toFixed(0)}`}`),
    los: (/** @type {number} */ l) => `likelihood of superiority ${(l * 100).toFixed(1)} %`, pairs: 'Pairs by points 0, ½, 1, 1½, 2', look: 'Look at it',
    trouble: (/** @type {string} */ why) => `The record cannot be read now: ${why}`,
  },
  lost: 'The server has forgotten this game; it was set up again.',
  close: 'Close',
};

/** A loss of expected points as people read it. @param {number} loss */
function percent(loss) {
  return loss > 0 && loss < 0.005 ? 'less than 1 %' : `${(loss * 100).toFixed(0)} %`;
}

/** @param {number} n */
function short(n) {
  if (n < 10_000) return String(n);
  return n < 1_000_000 ? `${Math.round(n / 1000)} k` : `${(n / 1_000_000).toFixed(1)} M`;
}
