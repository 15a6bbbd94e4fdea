/** A turn or a step of one: as protocols write it, `e2e4`, and as people read it, `e4`. */
export interface Turn {
    token: string;
    san: string;
}

export type Side = "white" | "black";

export interface State {
    /** The number of the game. */
    game: number;
    variant: string;
    /** The position string now, and at the beginning. */
    position: string;
    start: string;
    side: Side;
    /** The number of the turn as people count: White's and Black's have the same. */
    number: number;
    /** How many turns are complete. */
    turns: number;
    /** The steps of a turn that has begun, joined by commas. */
    begun: string;
    inCheck: boolean;
    /** Whether the dice have to be rolled now (DiceChess). */
    awaitsRoll: boolean;
    /** The dice of this turn, `PBK`. */
    dice: string | null;
    /** `1-0`, `0-1`, `1/2-1/2` or `*`. */
    result: string;
    /** What has ended the game, in words. */
    end: string | null;
    winner: Side | null;
    /** What was dropped or corrected in the position string. */
    warnings: string[];
}

export interface PastTurn extends Turn {
    side: Side;
    number: number;
    dice: string | null;
}

/** Centipawns, or turns to a mate, for the side to move. */
export type Score = { cp: number } | { mate: number };

export interface Limits {
    depth?: number;
    /** With a new game exact and repeatable. */
    nodes?: number;
    mate?: number;
    /** Milliseconds. */
    movetime?: number;
    /** Until it is stopped. */
    infinite?: boolean;
    /** How many lines are reported. */
    multipv?: number;
    /** Megabytes, 1 to 1024; 16 at first. */
    hash?: number;
    /** From 1 (beginner) on. */
    level?: number;
    elo?: number;
    /** Of the weaknesses of a level. */
    seed?: number;
    /** Only turns that begin so. */
    only?: string[];
}

export interface Info {
    depth: number;
    seldepth: number;
    multipv: number;
    score: Score;
    bound: "exact" | "lower" | "upper";
    /** Chances to win, draw and lose, per mille. */
    wdl: [number, number, number];
    /** 0 to 1, in DiceChess. */
    winChance: number | null;
    nodes: number;
    ms: number;
    hashfull: number;
    pv: Turn[];
}

export type Report = { info: Info } | { current: { depth: number; turn: Turn; number: number } } | { message: string };

export interface Answer {
    best: Turn | null;
    ponder: Turn | null;
    score: Score;
    bound: "exact" | "lower" | "upper";
    winChance: number | null;
    nodes: number;
    ms: number;
    depth: number;
    wdl: [number, number, number];
    pv: Turn[];
    /** The best turn with each roll, where the dice are not rolled yet. */
    rolls: { dice: string; weight: number; winChance: number; best: Turn }[];
}

export interface RuleOption {
    name: string;
    default: boolean | number | string;
    help: string;
    min?: number;
    max?: number;
    values?: string[];
}

export interface Games {
    games: { name: string; start: string; options: RuleOption[] }[];
    version: string;
}

export interface Beginning {
    /** A position string or the name of a start position. */
    position?: string;
    options?: Record<string, boolean | number | string>;
    /** Seed of the dice, hexadecimal. */
    seed?: string;
}

/** What cannot be done says why; nothing has changed then. */
export class FauveError extends Error {}

type Maybe<Waits extends boolean, T> = Waits extends true ? Promise<T> : T;

export interface Game<Waits extends boolean> {
    readonly id: number;
    readonly variant: string;
    state(): Maybe<Waits, State>;
    history(): Maybe<Waits, { turns: PastTurn[] }>;
    /** The legal steps. A turn of two-move chess or DiceChess has up to three, in other games one. */
    steps(): Maybe<Waits, { steps: Turn[] }>;
    /** The legal turns, 10,000 at most unless told otherwise. */
    turns(limit?: number): Maybe<Waits, { turns: Turn[]; complete: boolean }>;
    /** What turn, or beginning of one, a text means, in any usual spelling. */
    parse(text: string): Maybe<Waits, Turn & { whole: boolean }>;
    play(text: string): Maybe<Waits, State>;
    /** Gives the dice: these, or those of the game's seed. */
    roll(dice?: string): Maybe<Waits, State>;
    undo(): Maybe<Waits, State>;
    pgn(tags?: Record<string, string>): Maybe<Waits, { pgn: string }>;
    board(): Maybe<Waits, { board: string }>;
    search(limits: Limits, listener?: (report: Report) => void): Maybe<Waits, Answer>;
    free(): Maybe<Waits, object>;
}

/** An address, or the bytes themselves. */
export type Source = string | URL | ArrayBuffer | ArrayBufferView;

export class Fauve {
    static load(settings?: { wasm?: Source | WebAssembly.Module }): Promise<Fauve>;
    loadTables(source?: Source): Promise<void>;
    ask(question: object, listener?: (report: Report) => void): any;
    games(): Games;
    game(variant: string, beginning?: Beginning): Game<false>;
    read(pgn: string, variant?: string): (Game<false> | FauveError)[];
    bench(variant: string): { variant: string; nodes: number; ms: number };
}

export class FauveWorker {
    /** `stop` chooses how a search is stopped, where there is a choice: shared memory, JSPI, or a new worker. */
    static start(settings?: { wasm?: Source | WebAssembly.Module; worker?: string | URL; stop?: "shared" | "suspend" | "restart" }): Promise<FauveWorker>;
    readonly stopsBy: "shared" | "suspend" | "restart";
    loadTables(source?: Source): Promise<void>;
    ask(question: object, listener?: (report: Report) => void): Promise<any>;
    games(): Promise<Games>;
    game(variant: string, beginning?: Beginning): Promise<Game<true>>;
    read(pgn: string, variant?: string): Promise<(Game<true> | FauveError)[]>;
    bench(variant: string): Promise<{ variant: string; nodes: number; ms: number }>;
    /** Ends the running search with the best turn so far. */
    stop(): void;
    /** Ends the thread. */
    end(): Promise<void>;
}
