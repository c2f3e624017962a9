import { RefusedBooking } from '#tickets';
import { currentLanguage, Problem, problemBody, RefusedInput, RefusedInputs } from '#kernel';
import { PanelFieldError } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** Adds the remaining availability to the reason why a booking was refused. */
function withFacts({ message, facts }: RefusedBooking): string {
  const language = currentLanguage();
  const left = (facts.remaining ?? []).map(({ name, remaining }) => `${name}: ${remaining ?? '∞'}`);
  const rest = [
    left.length > 0 && `${texts.localized('refusals.left')[language]}${left.join(', ')}.`,
    facts.mayBook !== undefined && texts.localized('refusals.mayBookMore', { mayBook: facts.mayBook })[language],
  ];
  return [message, ...rest].filter(Boolean).join(' ');
}

/**
 * Runs a service call and converts its errors to form errors: beside the field, or above the form when they are about no field.
 * @param fieldOf the form's field for errors with these codes
 * @param shownAt the form's field for faults of fields that it does not have
 * @throws PanelFieldError
 */
export async function refusable<Result>(
  work: () => Promise<Result>,
  fieldOf: Readonly<Record<string, string>> = {},
  shownAt: Readonly<Record<string, string>> = {},
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefusedBooking) throw new PanelFieldError({ [error.field]: { message: withFacts(error) } });
    if (error instanceof RefusedInputs) {
      const fields = error.faults.map(({ field, message }) => [field, { message }]);
      throw new PanelFieldError(Object.fromEntries(fields) as PanelFieldError['fields']);
    }
    if (error instanceof RefusedInput) throw new PanelFieldError({ [shownAt[error.field] ?? error.field]: { message: error.message } });
    if (error instanceof Problem) {
      const { detail } = problemBody(error, currentLanguage(), '');
      const field = fieldOf[error.code];
      throw field === undefined ? new PanelFieldError({}, detail) : new PanelFieldError({ [field]: { message: detail } });
    }
    throw error;
  }
}
