import { costsNothing, currency, currentLanguage, moneyWords } from '#kernel';
import type { UsedCode } from '#tickets';
import type { VNode } from 'preact';
import { codeWords } from './code.words.js';

/** Below tickets: which code they use, and what it saves. */
export function SavedNote({ used }: { readonly used: UsedCode | null | undefined }): VNode | null {
  return used ? <p class="hint">{savedWords(used)}</p> : null;
}

/** The same as a text. */
export function savedWords({ code, saved }: UsedCode): string {
  const language = currentLanguage();
  const words = codeWords[language];
  return costsNothing(saved) ? words.applies(code) : words.saved(code, moneyWords(saved, currency, language));
}
