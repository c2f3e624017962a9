import type { PanelAction } from '../resource/panel-entry.js';
import type { PanelRow, PanelValue } from '../resource/panel-source.js';

/** One field of a page that the component `ActionForm` draws. Its texts are in the user's language. `copy`: a text to take away. */
export type FormField = {
  name: string;
  label: string;
  kind: 'text' | 'email' | 'textarea' | 'select' | 'choice' | 'checks' | 'datetime' | 'secret' | 'copy' | 'file';
  value?: string | string[];
  options?: { value: string; label: string }[];
  required?: boolean;
  help?: string;
  /** Of a file: what a browser offers to choose. */
  accept?: string;
  /** Characters, at most. */
  longest?: number;
  /** Shown, and sent, only while another field has one of these values. */
  when?: { field: string; values: string[] };
};

/** What an action asks before it acts. */
export interface FormView {
  /** What is going to happen. */
  lead?: string[];
  /** Consequences, one a line. */
  facts?: string[];
  /** What is shown above the fields: how things are. */
  reports?: FormReport[];
  fields: FormField[];
  /** On the button; without it nothing can be done, as the lead says. */
  submit?: string;
  danger?: boolean;
}

/** What came of it, where the page stays and shows it. The answer of the act has it as `report` in its view. */
export type FormReport = {
  title: string;
  tone: 'good' | 'bad' | 'info';
  facts: string[];
  table?: { title: string; head: string[]; rows: string[][]; more?: string };
};

/** The value of a {@link FormView}. */
export const formView = (form: FormView): PanelValue => JSON.parse(JSON.stringify(form)) as PanelValue;

/** An action of one record that asks something first. */
export function formAction(
  action: Pick<PanelAction, 'icon' | 'variant' | 'visible' | 'menu'> & {
    form: (id: string) => Promise<FormView>;
    act: (id: string, values: PanelRow) => Promise<{ message?: string; redirect?: string }>;
  },
): PanelAction {
  const { form, act, ...rest } = action;
  return {
    ...rest,
    component: 'ActionForm',
    view: async (id) => formView(await form(id)),
    // The page goes back to the record, where everything is shown as it is then.
    act: async (id, values) => ({ view: null, ...(await act(id, values)) }),
  };
}
