// Short sounds for what happens in the game. They are put together here from tones and knocks: no file is fetched.

/** What a sound is made of. @typedef {{ kind: 'tone' | 'knock', at: number, length: number, frequency: number, volume: number }} Part at and length in seconds, frequency in Hz, volume up to 1 */

/** @param {'tone' | 'knock'} kind @param {number} at @param {number} length @param {number} frequency @param {number} volume @returns {Part} */
const part = (kind, at, length, frequency, volume) => ({ kind, at, length, frequency, volume });

/** @type {Record<string, Part[]>} */
const SOUNDS = {
  move: [part('knock', 0, 0.08, 900, 0.5)],
  capture: [part('knock', 0, 0.06, 1500, 0.6), part('knock', 0.045, 0.12, 500, 0.8)],
  check: [part('knock', 0, 0.08, 900, 0.5), part('tone', 0.04, 0.14, 740, 0.15), part('tone', 0.16, 0.2, 988, 0.15)],
  dice: [0, 0.07, 0.12, 0.21, 0.33].map((at, i) => part('knock', at, 0.05, 1900 - 250 * i, 0.45)),
  end: [part('tone', 0, 0.3, 523, 0.15), part('tone', 0.2, 0.3, 659, 0.15), part('tone', 0.4, 0.6, 392, 0.15)],
};

/** @type {AudioContext | null} */
let output = null;
/** A second of noise, of which knocks are cut. @type {AudioBuffer | null} */
let noise = null;

/** @param {AudioContext} context */
function noiseOf(context) {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  return buffer;
}

/** @param {AudioContext} context @param {Part} one @param {number} begin */
function start(context, { kind, at, length, frequency, volume }, begin) {
  const gain = context.createGain();
  const from = begin + at;
  gain.gain.setValueAtTime(volume, from);
  gain.gain.exponentialRampToValueAtTime(0.001, from + length);
  gain.connect(context.destination);
  if (kind === 'tone') {
    const tone = context.createOscillator();
    Object.assign(tone, { type: 'triangle' });
    tone.frequency.value = frequency;
    tone.connect(gain);
    tone.start(from);
    tone.stop(from + length);
    return;
  }
  noise ??= noiseOf(context);
  const knock = context.createBufferSource();
  knock.buffer = noise;
  const filter = context.createBiquadFilter();
  Object.assign(filter, { type: 'bandpass' });
  filter.frequency.value = frequency;
  knock.connect(filter).connect(gain);
  knock.start(from, Math.random() / 2, length);
}

/** Makes a sound, some seconds from now, where the browser lets the page be heard. @param {string} name @param {number} [after] */
export async function play(name, after = 0) {
  // Before the person has done anything on the page, browsers keep it silent and complain.
  if (!('AudioContext' in window) || !navigator.userActivation?.hasBeenActive) return;
  try {
    output ??= new AudioContext();
    if (output.state === 'suspended') await output.resume();
    const context = output;
    for (const one of SOUNDS[name] ?? []) start(context, one, context.currentTime + after);
  } catch {
    // A machine without a loudspeaker plays in silence.
  }
}

/** What is heard when the game has come from one state to the next. @param {any} last @param {any} state @param {any[]} steps those that were made @returns {string[]} */
export function soundsOf(last, state, steps) {
  const heard = [];
  if (state.end && !last.end) heard.push('end');
  else if (steps.length && state.view.check) heard.push('check');
  else if (steps.length) heard.push(steps.some((step) => step.captures) ? 'capture' : 'move');
  const isRolled = state.view.dice?.rolled && !state.end && state.turns.length > last.turns.length;
  if (isRolled) heard.push('dice');
  return heard;
}
