import type { EventCopiesService, EventStep } from '#catalogue';
import { currentPanelRequest, formAction, isChecked, PanelFieldError, recordHref } from '#panel-kit';
import type { PanelAction } from '#panel-kit';
import { publishField } from '../forms/copies.js';
import { refusable } from '../forms/refusals.js';
import { formWords } from './events.words.js';

const steps: readonly EventStep[] = ['day', 'week', 'month'];

/** Copies an event once, as an event of its own. The form says what the copy shares with the original. */
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
          publishField(words),
        ],
        submit: words.duplicateDo,
      };
    },
    act: async (id, { step, published }) => {
      const chosen = steps.find((one) => one === step);
      if (!chosen) throw new PanelFieldError({ step: { message: 'fieldChoice' } });
      const isPublished = isChecked(published);
      const copy = await refusable(() => copies.copy(id, { step: chosen, published: isPublished }));
      if (!copy) throw new PanelFieldError({}, 'error404Record');
      return { message: isPublished ? 'publishedDone' : 'duplicated', redirect: recordHref('events', copy.id) };
    },
  });
}
