import { signal } from '@preact/signals';
import type { DoorEngine } from '../core/types.js';
import { pairingCodeOf } from './pairing-code.js';

/** The code of the address that opened the app: one tap spends it. */
export const openedCode = signal<string | null>(null);
/** The phone is paired, and with another code than the opened one: a person decides. */
export const asksAgain = signal(false);

/**
 * Takes the code out of the address, now and later, so that it stays neither in the history nor on a screenshot.
 * @param started settles when the engine knows whether the phone is paired
 * @param loadQuestion loads what asks the person
 */
export function takeOpenedCode(engine: DoorEngine, started: Promise<boolean>, loadQuestion: () => Promise<void>): void {
  const take = (): void => {
    const found = pairingCodeOf(location.hash, location.host);
    if (location.hash !== '') history.replaceState(null, '', '/door/');
    if (found.kind !== 'code') return;
    openedCode.value = found.code;
    void started.then((ready) => (ready ? compare(engine, found.code, loadQuestion) : undefined));
  };
  take();
  addEventListener('hashchange', take);
}

/** Forgets the opened code: it was spent, or nobody wants it. */
export function dropOpenedCode(): void {
  openedCode.value = null;
  asksAgain.value = false;
}

/** Many open the app by the printed code every time: a phone that was paired with it needs nothing. */
async function compare(engine: DoorEngine, code: string, loadQuestion: () => Promise<void>): Promise<void> {
  // The phone goes on as it is when the question cannot be shown.
  const [isOwn] = await Promise.all([engine.isOwnCode(code), loadQuestion()]).catch(() => [true]);
  if (openedCode.value !== code || ['unpaired', 'wiped'].includes(engine.state.phase)) return;
  if (isOwn) dropOpenedCode();
  else asksAgain.value = true;
}
