import type { Language } from '#kernel';
import { Fault, faulty, PrivacyLink } from '#page-kit';
import type { VNode } from 'preact';
import type { EventPage } from '../public-events/public-events.service.js';
import { followWords } from './follow.words.js';

/** Whether people can ask to be told when the sale of tickets begins: when that time is known, and nothing is sold before. */
export function isTellable({ event, isCancelled, venue, prices }: EventPage, now: Date): boolean {
  const tickets = prices.filter(({ admits }) => admits);
  const isShut = isCancelled || event.alteration === 'postponed' || event.sameAs !== null || event.startsAt <= now;
  return (
    venue.canBeFollowed === true &&
    !isShut &&
    tickets.some(({ sale, opensAt }) => sale === 'upcoming' && opensAt !== null) &&
    tickets.every(({ sale }) => sale !== 'open')
  );
}

interface TellFormProps {
  /** Of the event. */
  readonly slug: string;
  /** The venue has a privacy notice. */
  readonly hasPrivacy: boolean;
  readonly language: Language;
  /** As it was sent, and why it was refused. */
  readonly typed?: string;
  readonly fault?: string;
}

/** The form with which visitors ask for one mail when the sale of tickets begins. Works without scripts. */
export function TellForm({ slug, hasPrivacy, language, typed = '', fault }: TellFormProps): VNode {
  const words = followWords[language];
  const name = 'tell-email';
  return (
    <form class="field" method="post" action={`/event/${slug}/tell`} novalidate>
      <label for={name}>{words.tell}</label>
      <Fault name={name} fault={fault} />
      <div class="with-button">
        <input id={name} name="email" type="email" autocomplete="email" required maxlength={254} value={typed} {...faulty(name, fault)} />
        <button class="button">{words.tellMe}</button>
      </div>
      <p class="hint">{words.tellHint}</p>
      {hasPrivacy && <PrivacyLink language={language} />}
    </form>
  );
}
