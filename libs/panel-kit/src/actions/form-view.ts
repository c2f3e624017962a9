import type { PanelAction } from '../resource/panel-entry.js';
import type { PanelRow, PanelValue } from '../resource/panel-source.js';

/**
 * One field of a page that the component `ActionForm` draws. Its texts are in the user's language. `copy` shows a text with a copy button.
 */
export type FormField = {
  name: string;
  label: string;
  kind:
    | 'text'
    | 'email'
    | 'textarea'
    | 'select'
    | 'choice'
    | 'checks'
    | 'datetime'
    | 'date'
    | 'time'
    | 'secret'
    | 'copy'
    | 'file'
    | 'hidden'
    | 'rows';
  value?: string | string[];
  /** `help` of the chosen option of a select is shown below it. */
  options?: { value: string; label: string; help?: string }[];
  required?: boolean;
  /** For a select: what no choice means; default: a request to choose. */
  empty?: string;
  help?: string;
  /** For a file: the file types that the browser offers. */
  accept?: string;
  /** Maximum length in characters. */
  longest?: number;
  /** For `rows`: fields that people repeat; their values are sent as `<name><number>`, from 1 on. */
  rows?: {
    fields: Omit<FormField, 'rows' | 'when' | 'beside'>[];
    /** Of one row; its number follows. */
    legend: string;
    /** Number of rows at first, and at most. */
    initial: number;
    most: number;
    add: string;
    remove: string;
  };
  /** For a `time`: it moves with this other one by the same amount, until somebody enters another time. */
  follows?: string;
  /** The field stands in one line with the one before it, where there is room. */
  beside?: true;
  /** The field is shown and sent only while another field has one of these values; for a file: the ends of its name, as `.csv`. */
  when?: { field: string; values: string[] };
};

/** The form of an action. */
export interface FormView {
  /** Paragraphs that explain the action. */
  lead?: string[];
  /** Consequences of the action, one per line. */
  facts?: string[];
  /** Reports on the current state, above the fields. */
  reports?: FormReport[];
  fields: FormField[];
  /** Label of the submit button. Without it the form has no button, and the lead says why. */
  submit?: string;
  /** Further buttons that submit the form, with another value of a hidden field. */
  also?: { field: string; buttons: { label: string; value: string }[] };
  danger?: boolean;
  /** Fields, without the numbers of rows. When they change, the view is read again with their values and `preview`. */
  preview?: string[];
  /** What the form would make, in that answer, and in a form without scripts that was refused; shown above the buttons. */
  previewed?: string;
}

/** The result of an action whose page stays open. The action's answer has it as `report` in its view. */
export type FormReport = {
  title: string;
  tone: 'good' | 'bad' | 'info';
  facts: string[];
  /** Lines as they stand, such as those of a mail. */
  text?: string;
  table?: { title: string; head: string[]; rows: string[][]; more?: string };
};

/** A {@link FormView} as the view of an action. */
export const formView = (form: FormView): PanelValue => JSON.parse(JSON.stringify(form)) as PanelValue;

/** The view of a form, or what it would make with the values of a request that asks for that. @param previewed empty: nothing to say */
export async function formOrPreview(
  query: Readonly<Record<string, unknown>>,
  form: () => Promise<FormView>,
  previewed: (values: PanelRow) => Promise<string>,
): Promise<PanelValue> {
  return formView(query['preview'] === 'true' ? { fields: [], previewed: await previewed(query as PanelRow) } : await form());
}

/** An action on one record that shows a form first. */
export function formAction(
  action: Pick<PanelAction, 'icon' | 'variant' | 'visible' | 'menu' | 'inForm'> & {
    form: (id: string) => Promise<FormView>;
    /** For a form with `preview`: what it would make; empty: nothing, or a field is wrong. */
    previewed?: (id: string, values: PanelRow) => Promise<string>;
    act: (id: string, values: PanelRow) => Promise<{ message?: string; redirect?: string }>;
  },
): PanelAction {
  const { form, previewed = () => Promise.resolve(''), act, ...rest } = action;
  return {
    ...rest,
    component: 'ActionForm',
    view: (id, query = {}) =>
      formOrPreview(
        query,
        () => form(id),
        (values) => previewed(id, values),
      ),
    // Without a view the page returns to the record and loads its current state.
    act: async (id, values) => ({ view: null, ...(await act(id, values)) }),
  };
}
