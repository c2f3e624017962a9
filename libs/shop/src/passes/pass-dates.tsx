import { currentLanguage, isoInZone, momentWords } from '#kernel';
import { Fault, fieldClass } from '#page-kit';
import type { ChosenPass } from '#selling';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { passDatesWords } from './pass-dates.words.js';

const times = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' } as const;

interface PassDatesProps {
  readonly pass: ChosenPass;
  /** Path that the form is sent to. */
  readonly action: string;
  readonly fault?: string | undefined;
  /** Ids of the events that were chosen and refused. */
  readonly refused?: ReadonlySet<string> | undefined;
}

const chosenOf = ({ dates }: ChosenPass): number => dates.filter(({ isChosen }) => isChosen).length;

/** Whether as many dates are chosen as the pass is for. */
export const hasItsDates = (pass: ChosenPass): boolean => chosenOf(pass) === pass.size;

/** The form that chooses the dates of a pass in the cart. */
export function PassDates({ pass, action, fault, refused }: PassDatesProps): VNode {
  const { priceId, name, size, dates } = pass;
  const chosen = refused?.size ?? chosenOf(pass);
  const language = currentLanguage();
  const words = passDatesWords[language];
  const { timeZone } = currentTenant();
  const id = `part-${priceId}`;
  return (
    <section class={fieldClass('part', fault)} id={id} tabindex={-1}>
      <h2>{words.heading}</h2>
      <p dir="auto">{words.choose(name, size)}</p>
      {chosen !== size && <p class="hint">{words.few(chosen, size)}</p>}
      <Fault name={id} fault={fault} />
      <form class="order flow" method="post" action={action} target="_top">
        <input type="hidden" name="price" value={priceId} />
        <fieldset>
          <legend class="unseen">{words.heading}</legend>
          {dates.map(({ eventId, startsAt, isChosen, soldOut }, index) => (
            <div class="field tick">
              <label for={`${id}-${index}`}>
                <input
                  type="checkbox"
                  id={`${id}-${index}`}
                  name="date"
                  value={eventId}
                  checked={refused?.has(eventId) ?? isChosen}
                  disabled={soldOut && !isChosen}
                />{' '}
                <span>
                  <time datetime={isoInZone(startsAt, timeZone)}>{momentWords(startsAt, language, timeZone, times)}</time>
                  {soldOut && !isChosen && ` · ${words.soldOut}`}
                </span>
              </label>
            </div>
          ))}
        </fieldset>
        <p>
          <button class={hasItsDates(pass) ? 'button other' : 'button'}>{words.save}</button>
        </p>
      </form>
    </section>
  );
}
