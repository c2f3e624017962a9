import { currentPanelRequest, formView, textOf, type PanelPage } from '#panel-kit';
import { presetNames, presetWords } from '#tenancy';
import { refusable } from '../forms/refusals.js';
import { changedBy } from './people.actions.js';
import { peopleWords } from './people.words.js';
import type { PeopleServices } from './people.services.js';

/** Names the roles that need a second factor. */
export function factorRolesPage({ roles, rules }: PeopleServices): PanelPage {
  const offered = async (): Promise<{ value: string; label: string }[]> => {
    const { language } = currentPanelRequest();
    const presets = presetNames.map((name) => ({ value: name as string, label: presetWords[language][name].label }));
    return [...presets, ...(await roles.list()).map(({ id, name }) => ({ value: id, label: name }))];
  };
  return {
    icon: 'Lock',
    component: 'ActionForm',
    view: async () => {
      const { factorForm } = peopleWords[currentPanelRequest().language];
      const named = await rules.roles();
      const options = await offered();
      const value = named.filter((role) => options.some((option) => option.value === role));
      return formView({
        lead: [factorForm.lead],
        fields: [{ name: 'roles', kind: 'checks', label: factorForm.roles, help: factorForm.help, value, options }],
        submit: factorForm.submit,
      });
    },
    act: async (values) => {
      const sent = new Set([values['roles'] ?? []].flat().map(textOf));
      const known = (await offered()).map(({ value }) => value);
      const wanted = known.filter((role) => sent.has(role));
      await refusable(() => rules.setRoles(wanted, changedBy()));
      return { message: 'factorRolesSaved', redirect: '/admin/resources/people' };
    },
  };
}
