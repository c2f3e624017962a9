import type { Language } from '#kernel';
import { Fault, faulty } from '#page-kit';
import type { VNode } from 'preact';
import { followWords } from './follow.words.js';

interface FollowFormProps {
  readonly language: Language;
  /** As it was sent, and why it was refused. */
  readonly typed?: string;
  readonly fault?: string;
}

/** The form with which visitors follow the venue by mail. Works without scripts. */
export function FollowForm({ language, typed = '', fault }: FollowFormProps): VNode {
  const words = followWords[language];
  const name = 'follow-email';
  return (
    <section class="part narrow" aria-labelledby="follow">
      <h2 id="follow">{words.title}</h2>
      <form class="field" method="post" action="/follow" novalidate>
        <label for={name}>{words.email}</label>
        <Fault name={name} fault={fault} />
        <div class="with-button">
          <input id={name} name="email" type="email" autocomplete="email" required maxlength={254} value={typed} {...faulty(name, fault)} />
          <button class="button">{words.follow}</button>
        </div>
        <p class="hint">{words.hint}</p>
      </form>
    </section>
  );
}
