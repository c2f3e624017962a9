import type { Language } from '#kernel';
import { InputField } from '#page-kit';
import type { VNode } from 'preact';
import { codeWords } from './code.words.js';

/** The code that a buyer entered. */
export interface EnteredCode {
  /** As it was typed, or the code that applies. */
  readonly typed: string;
  readonly fault?: string | undefined;
  /** What it saves or opens; absent: it is not known yet. */
  readonly notes?: readonly string[] | undefined;
}

interface CodeFormProps {
  /** Path that the form is sent to. */
  readonly action: string;
  readonly method: 'get' | 'post';
  readonly entered?: EnteredCode | undefined;
  readonly language: Language;
}

/** The field for a code, folded away until one is entered. Works without scripts. */
export function CodeForm({ action, method, entered, language }: CodeFormProps): VNode {
  const words = codeWords[language];
  const field = { name: 'code', label: words.field, hint: words.hint, fault: entered?.fault };
  const attributes = { value: entered?.typed ?? '', maxlength: 60, autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' };
  return (
    <details class="fold" open={entered !== undefined} id="have-code">
      <summary class="line">{words.have}</summary>
      {entered?.notes?.map((note) => (
        <p class="notice" role="status">
          {note}
        </p>
      ))}
      <form class="order flow" method={method} action={action}>
        <InputField field={field} attributes={attributes} />
        <p>
          <button class="button other button-small">{words.apply}</button>
        </p>
      </form>
    </details>
  );
}
