import { usualAccent } from '#kernel';
import type { LookPagesService } from '#pages';
import { cornerShapes, pictureFields, typefaces, type PlaceProfileService, type ProfileChange } from '#places';
import { currentPanelRequest, PANEL_PATH, textOf, type PanelAction, type PanelRow } from '#panel-kit';
import { shownPicture } from '../forms/picture.action.js';
import { refusable } from '../forms/refusals.js';
import { profileWords, typefaceHelps } from './profile.words.js';

/** Address that renders a page in a look, see `lookPreviewRouter`. */
export const lookPreviewPath = '/look/preview';

/** The fields of the profile that are the look of the pages. */
export const lookFields = ['accentColour', 'typeface', 'corners'] as const;

const choices = { typeface: typefaces, corners: cornerShapes } as const;

/** The action that chooses the look of the public pages, with a preview. Pictures have actions of their own, which it links to. */
export function lookAction(profiles: PlaceProfileService, pages: LookPagesService): PanelAction {
  return {
    icon: 'Droplet',
    component: 'LookForm',
    view: async () => {
      const { language } = currentPanelRequest();
      const { properties, messages, values, actions } = profileWords(language);
      const profile = await profiles.read();
      const options = (name: keyof typeof choices): PanelRow[] =>
        choices[name].map((value) => ({ value, label: values?.[name]?.[value] ?? value }));
      const explained = options('typeface').map((option) => ({
        ...option,
        help: typefaceHelps[language][option['value'] as (typeof typefaces)[number]],
      }));
      const fields = lookFields.map((name) => ({
        name,
        label: properties?.[name] ?? name,
        help: messages?.[`${name}Help`] ?? '',
        value: profile[name] ?? '',
        ...(name === 'typeface' && { options: explained }),
        ...(name === 'corners' && { options: options(name) }),
      }));
      const pictures = (['logo', 'image'] as const).map((name) => ({
        action: name,
        label: actions?.[name] ?? name,
        picture: shownPicture(profile[pictureFields[name]]),
      }));
      return {
        fields: Object.fromEntries(fields.map(({ name, ...field }) => [name, field])),
        usualAccent,
        pictures,
        preview: `${PANEL_PATH}${lookPreviewPath}`,
        hasEvent: await pages.hasEvent(),
      };
    },
    act: async (_, values) => {
      await refusable(() => profiles.change(changeOf(values)));
      return { message: 'lookDone', view: null };
    },
  };
}

function changeOf(values: PanelRow): ProfileChange {
  const given = lookFields.filter((name) => values[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, textOf(values[name])]));
}
