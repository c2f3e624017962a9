import { currentPanelRequest, formAction, formView, listHref, PanelFieldError, recordHref, textOf } from '#panel-kit';
import type { FormField, FormView, PanelAction, PanelPage, PanelRow } from '#panel-kit';
import { invitationTexts, type NewInvitation } from '#tenancy';
import { refusable } from '../forms/refusals.js';
import { isInvited } from './invited-people.js';
import { peopleWords } from './people.words.js';
import type { PeopleServices } from './people.services.js';
import { factorResetActions } from './factor-reset.actions.js';
import { rightFields, rightIn } from './right.fields.js';

/** Who changes a right. */
export function changedBy(): string {
  const { user } = currentPanelRequest();
  if (!user) throw new PanelFieldError({}, 'error404Record');
  return user.id;
}

/** Nobody changes the own right. */
export const isOther = ({ id }: PanelRow): boolean => currentPanelRequest().user?.id !== id;

const done = async (work: () => Promise<boolean>, message: string): Promise<{ message: string }> => {
  if (!(await refusable(work))) throw new PanelFieldError({}, 'error404Record');
  return { message };
};

/** The actions on a person, and on an invitation that nobody has accepted yet. */
export function peopleActions(services: PeopleServices): Record<string, PanelAction> {
  const { grants, invitations, mails } = services;
  return {
    change: formAction({
      icon: 'Edit2',
      variant: 'primary',
      visible: isOther,
      form: async (id) => (await invitationForm(services, id)) ?? (await personForm(services, id)),
      act: async (id, values) => {
        if (!(await openInvitation(services, id))) {
          return done(async () => grants.change(id, await rightIn(services, values), changedBy()), 'changed');
        }
        return done(
          async () => mails.renew(id, await invitationIn(services, values), changedBy()),
          mails.keeps ? 'renewedKept' : 'renewed',
        );
      },
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
    ...factorResetActions(services),
    resend: {
      icon: 'Send',
      guard: 'resendSure',
      visible: isInvited,
      act: (id) => done(() => mails.renew(id, undefined, changedBy()), mails.keeps ? 'resentKept' : 'resent'),
    },
    link: {
      icon: 'Link',
      component: 'ActionForm',
      visible: (row) => isInvited(row) && mails.showsLinks,
      view: () => {
        const { linkLead, linkSubmit } = peopleWords[currentPanelRequest().language].form;
        return Promise.resolve(formView({ lead: [linkLead], fields: [], submit: linkSubmit }));
      },
      act: async (id) => {
        const link = await mails.link(id);
        if (link === undefined) throw new PanelFieldError({}, 'error404Record');
        const { linkTitle } = peopleWords[currentPanelRequest().language].form;
        return { view: { report: { title: linkTitle, tone: 'good', facts: [link] } } };
      },
    },
    takeBack: {
      icon: 'UserX',
      variant: 'danger',
      guard: 'takeBackSure',
      visible: isInvited,
      act: async (id) => ({ ...(await done(() => invitations.withdraw(id, changedBy()), 'takenBack')), redirect: listHref('people', {}) }),
    },
  };
}

async function openInvitation({ invitations }: PeopleServices, id: string) {
  return (await invitations.list()).find((invitation) => invitation.id === id);
}

async function personForm(services: PeopleServices, id: string): Promise<FormView> {
  const person = (await services.grants.list()).find(({ userId }) => userId === id);
  if (!person) throw new PanelFieldError({}, 'error404Record');
  const words = peopleWords[currentPanelRequest().language];
  return { lead: [words.lead(person.name)], fields: await rightFields(services, person.grant), submit: words.form.submit };
}

async function invitationForm(services: PeopleServices, id: string): Promise<FormView | undefined> {
  const invitation = await openInvitation(services, id);
  if (!invitation) return undefined;
  const { email, grant, note } = invitation;
  const words = peopleWords[currentPanelRequest().language];
  const kept = services.mails.keeps ? [keptLead(services)] : [];
  const fields = [...(await rightFields(services, grant)), noteField(note ?? '')];
  return { lead: [words.changeInvitation(email), ...kept], fields, submit: words.form.submit };
}

function noteField(value = ''): FormField {
  const { note: label, noteHelp: help } = peopleWords[currentPanelRequest().language].form;
  return { name: 'note', kind: 'text', label, help, value, longest: invitationTexts.note };
}

const invitationIn = async (services: PeopleServices, values: PanelRow): Promise<NewInvitation> => ({
  right: await rightIn(services, values),
  note: textOf(values['note']),
});

/** What to do where no mail is sent. */
function keptLead({ mails, settings }: PeopleServices): string {
  const words = peopleWords[currentPanelRequest().language];
  return mails.showsLinks ? words.form.linkKept : words.noServer(settings.adminEmail);
}

/** Invites somebody, with or without an account. */
export function invitePage(services: PeopleServices): PanelPage {
  return {
    icon: 'UserPlus',
    component: 'ActionForm',
    variant: 'primary',
    view: async () => {
      const { form, resource } = peopleWords[currentPanelRequest().language];
      const email: FormField = { name: 'email', kind: 'email', label: resource.properties.email, required: true };
      return formView({
        lead: services.mails.keeps ? [keptLead(services), form.inviteLead] : [form.inviteLead],
        fields: [email, ...(await rightFields(services)), noteField()],
        submit: form.inviteSubmit,
      });
    },
    act: async (values) => {
      const invitation = await invitationIn(services, values);
      const id = await refusable(() => services.mails.invite(textOf(values['email']), invitation, changedBy()));
      const { keeps, showsLinks } = services.mails;
      return { message: showsLinks ? 'invitedShown' : keeps ? 'invitedKept' : 'invited', redirect: recordHref('people', id) };
    },
  };
}
