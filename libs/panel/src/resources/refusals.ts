import { currentLanguage, Problem, problemBody, RefusedInput } from '#kernel';
import { PanelFieldError } from '../panel-source.js';

/**
 * Runs a service's work; what it refuses is told beside the form's field, or above the form when it is about no field.
 *
 * @throws PanelFieldError
 */
export async function refusable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefusedInput) throw new PanelFieldError({ [error.field]: { message: error.message } });
    if (error instanceof Problem) throw new PanelFieldError({}, problemBody(error, currentLanguage(), '').detail);
    throw error;
  }
}
