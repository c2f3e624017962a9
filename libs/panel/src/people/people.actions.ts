import { currentPanelRequest, formAction, formView, PanelFieldError, recordHref, textOf } from '#panel-kit';
import type { PanelAction, PanelPage, PanelRow } from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { peopleWords } from './people.words.js';
import type { PeopleServices } from './people.services.js';
import { rightFields, rightIn } from './right.fields.js';

/** Who changes a right. */
export function changedBy(): string {
  const { user } = currentPanelRequest();
  if (!user) throw new PanelFieldError({}, 'error404Record');
  return user.id;
}

/** Nobody changes the own right. */
const isOther = ({ id }: PanelRow): boolean => currentPanelRequest().user?.id !== id;

const done = async (work: () => Promise<boolean>, message: string): Promise<{ message: string }> => {
  if (!(await refusable(work))) throw new PanelFieldError({}, 'error404Record');
  return { message };
};

/** The actions on a person. */
export function peopleActions(services: PeopleServices): Record<string, PanelAction> {
  const { grants } = services;
  return {
    change: formAction({
      icon: 'Edit2',
      variant: 'primary',
      visible: isOther,
      form: async (id) => {
        const person = (await grants.list()).find(({ userId }) => userId === id);
        if (!person) throw new PanelFieldError({}, 'error404Record');
        const words = peopleWords[currentPanelRequest().language];
        return { lead: [words.lead(person.name)], fields: await rightFields(services, person.grant), submit: words.form.submit };
      },
      act: (id, values) => done(async () => grants.change(id, await rightIn(services, values), changedBy()), 'changed'),
    }),
    suspend: {
      icon: 'Pause',
      variant: 'danger',
      guard: 'suspendSure',
      visible: (row) => isOther(row) && row['state'] === 'active',
      act: (id) => done(() => grants.suspend(id, true, changedBy()), 'suspended'),
    },
    letIn: {
      icon: 'Play',
      variant: 'primary',
      visible: (row) => isOther(row) && row['state'] === 'suspended',
      act: (id) => done(() => grants.suspend(id, false, changedBy()), 'letInDone'),
    },
  };
}

/** Gives a right to somebody who has an account. */
export function addPersonPage(services: PeopleServices): PanelPage {
  return {
    icon: 'UserPlus',
    component: 'ActionForm',
    variant: 'primary',
    view: async () => {
      const { form, resource } = peopleWords[currentPanelRequest().language];
      return formView({
        lead: [form.addLead],
        fields: [{ name: 'email', kind: 'email', label: resource.properties.email, required: true }, ...(await rightFields(services))],
        submit: form.addSubmit,
      });
    },
    act: async (values) => {
      const by = changedBy();
      const given = await rightIn(services, values);
      const id = await refusable(() => services.accounts.byEmail(textOf(values['email']), by));
      await refusable(() => services.grants.add(id, given, by));
      return { message: 'added', redirect: recordHref('people', id) };
    },
  };
}
