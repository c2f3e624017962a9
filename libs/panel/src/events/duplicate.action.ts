import type { EventCopiesService, EventStep } from '#catalogue';
import { currentPanelRequest, formAction, listHref, PanelFieldError, recordHref, textOf } from '#panel-kit';
import type { PanelAction } from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { formWords } from './events.words.js';

const steps: readonly EventStep[] = ['day', 'week', 'month'];

/** Copies an event once, or at every step until a day. The form says what the copies share with the original. */
export function duplicateAction(copies: EventCopiesService): PanelAction {
  return formAction({
    icon: 'Copy',
    form: async (id) => {
      const words = formWords[currentPanelRequest().language];
      const { shared, own } = await copies.plan(id);
      return {
        lead: [words.duplicateLead],
        facts: [
          ...(shared.length > 0 ? [words.duplicateShared(shared.join(', '))] : []),
          ...(own.length > 0 ? [words.duplicateOwn(own.join(', '))] : []),
        ],
        fields: [
          {
            name: 'step',
            kind: 'choice',
            label: words.when,
            value: 'week',
            options: steps.map((value) => ({ value, label: words[value] })),
          },
          { name: 'until', kind: 'datetime', label: words.until, help: words.untilHelp },
          {
            name: 'published',
            kind: 'choice',
            label: words.publishCopies,
            value: 'false',
            options: [
              { value: 'false', label: words.publishLater },
              { value: 'true', label: words.publishNow },
            ],
          },
        ],
        submit: words.duplicateDo,
      };
    },
    act: async (id, { step, until, published }) => {
      const chosen = steps.find((one) => one === step);
      if (!chosen) throw new PanelFieldError({ step: { message: 'fieldChoice' } });
      const wanted = { step: chosen, published: published === true || published === 'true', ...lastStart(textOf(until)) };
      const made = await refusable(() => copies.copy(id, wanted));
      const [first, second] = made ?? [];
      if (!first) throw new PanelFieldError({}, 'error404Record');
      if (!second) return { message: wanted.published ? 'publishedDone' : 'duplicated', redirect: recordHref('events', first.id) };
      return { message: 'duplicatedAll', redirect: listHref('events', { name: first.name }) };
    },
  });
}

/** @throws PanelFieldError */
function lastStart(until: string): { until?: Date } {
  if (until === '') return {};
  const instant = new Date(until);
  if (Number.isNaN(instant.getTime())) throw new PanelFieldError({ until: { message: 'fieldDate' } });
  return { until: instant };
}
