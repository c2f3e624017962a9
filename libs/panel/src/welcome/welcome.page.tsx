import type { Language } from '#kernel';
import type { ComponentChildren, VNode } from 'preact';
import { PANEL_PATH } from '#panel-kit';
import type { FormView, PlainPage, RefusedForm } from '#panel-kit';
import { formWords } from '../events/events.words.js';
import { unbookableNote } from '../forms/unbookable.js';
import { lookPreviewPath } from '../profile/look.action.js';
import { EventStep } from './event.step.js';
import { HouseStep } from './house.step.js';
import { PracticeStep, type ShownPractice } from './practice.step.js';
import { MembershipStep, PaymentStep } from './steps.js';
import { welcomePath } from './welcome.path.js';
import { type WelcomeFacts, type WelcomeStep, type WelcomeStepName } from './welcome.reader.js';
import { welcomeWords } from './welcome.words.js';

/** What the page of the first steps shows now. */
export interface WelcomeView {
  readonly facts: WelcomeFacts;
  readonly language: Language;
  readonly practice?: ShownPractice | undefined;
  /** The form for a new event; undefined when there is an event already, and no refused form. */
  readonly eventForm: FormView | undefined;
  /** The form of the opened step, which was refused. */
  readonly refused?: RefusedForm | undefined;
  /** The step to open; default: the first one that is not done. */
  readonly opened?: WelcomeStepName | undefined;
}

/** The page with the first steps of a new tenant. Needs no script. */
export function welcomePage(view: WelcomeView): PlainPage {
  const { facts, language, practice, opened } = view;
  const words = welcomeWords[language];
  const { steps, profile, event } = facts;
  const now = steps.find(({ isDone }) => !isDone)?.name;
  const isWaiting = practice !== undefined && !practice.isScanned;
  return {
    title: words.title(profile.name),
    isWide: true,
    // Until the phone has scanned: the page works without scripts.
    // Not while somebody fills in the form of the first event.
    ...(isWaiting && facts.event && { refreshSeconds: 4 }),
    body: (
      <>
        <p class="gt-lead">{now ? words.lead : words.allDone}</p>
        <div class={event ? 'gt-welcome-columns' : undefined}>
          <div class="gt-welcome-steps">
            {steps.map((step, index) => (
              <Step step={step} number={index + 1} isNow={step.name === now} isOpen={step.name === (opened ?? now)} language={language}>
                {contentOf(step, view)}
              </Step>
            ))}
          </div>
          {event && <Preview facts={facts} language={language} />}
        </div>
        <p>
          <a class={now ? 'gt-button gt-button-quiet gt-button-wide' : 'gt-button gt-button-wide'} href={PANEL_PATH}>
            {words.panel}
          </a>
        </p>
        <form method="post" action={welcomePath}>
          <button class="gt-button gt-button-quiet gt-button-wide" type="submit">
            {words.dismiss}
          </button>
        </form>
      </>
    ),
  };
}

function contentOf({ name, isDone }: WelcomeStep, view: WelcomeView): VNode {
  const { facts, language, practice, eventForm } = view;
  const refused = view.opened === name ? view.refused : undefined;
  if (name === 'house') return <HouseStep facts={facts} language={language} typed={refused?.typed} faults={refused?.faults ?? new Map()} />;
  if (name === 'payment') return <PaymentStep facts={facts} language={language} />;
  if (name === 'event') return <EventStep facts={facts} language={language} form={eventForm} refused={refused} />;
  if (name === 'membership') return <MembershipStep facts={facts} language={language} />;
  return <PracticeStep language={language} shown={practice} isDone={isDone} />;
}

interface StepProps {
  readonly step: WelcomeStep;
  readonly number: number;
  readonly isNow: boolean;
  readonly isOpen: boolean;
  readonly language: Language;
  readonly children: ComponentChildren;
}

function Step({ step: { name, isDone }, number, isNow, isOpen, language, children }: StepProps): VNode {
  const words = welcomeWords[language];
  const { title, lead } = words.steps[name];
  return (
    <details class="gt-welcome-step" id={name} open={isOpen}>
      <summary>
        <b>{number}</b>
        <span>
          <h2>{title}</h2>
          <small>{lead}</small>
        </span>
        {isDone && <span class="gt-welcome-state gt-welcome-done">{words.done}</span>}
        {!isDone && isNow && <span class="gt-welcome-state">{words.now}</span>}
      </summary>
      <div class="gt-welcome-body">{children}</div>
    </details>
  );
}

/** What guests will see, and whether they can book it. */
function Preview({
  facts: { event, reason, profile, isFree, isMailed },
  language,
}: {
  readonly facts: WelcomeFacts;
  readonly language: Language;
}): VNode | null {
  if (!event) return null;
  const { preview } = welcomeWords[language];
  const { accentColour, typeface, corners } = profile;
  const look = new URLSearchParams({ page: 'event', event: event.slug, accentColour: accentColour ?? '', typeface, corners });
  const note = reason && unbookableNote(event.id, reason, language);
  return (
    <aside class="gt-welcome-preview" aria-labelledby="preview">
      <h2 id="preview">{preview.title}</h2>
      {event.published && <iframe src={`${PANEL_PATH}${lookPreviewPath}?${look.toString()}`} title={preview.title} loading="lazy" />}
      {note && (
        <p class="gt-note">
          <a href={note.href}>{note.text}</a>
        </p>
      )}
      {!note && event.published && (
        <p class="gt-note">
          <b>{preview.bookable}</b> <a href={`/event/${event.slug}`}>{formWords[language].viewPage}</a>{' '}
          {profile.payAtVenueHours !== null && !isFree && preview.atVenue} {!isMailed && preview.kept}
        </p>
      )}
      {!event.published && <p class="gt-note">{preview.unpublished}</p>}
    </aside>
  );
}
