import { usualAccent } from '#kernel';
import type { LookPagesService } from '#pages';
import { cornerShapes, pictureFields, typefaces, type PlaceProfileService, type ProfileChange } from '#places';
import { currentPanelRequest, PANEL_PATH, textOf, type PanelAction, type PanelRow, type ViewOf } from '#panel-kit';
import { shownPicture } from '../forms/picture.action.js';
import { refusable } from '../forms/refusals.js';
import { profileWords, typefaceHelps } from './profile.words.js';

/** Address that renders a page in a look, see `lookPreviewRouter`. */
export const lookPreviewPath = '/look/preview';

/** The fields of the profile that are the look of the pages. */
export const lookFields = ['accentColour', 'typeface', 'corners'] as const;

async function lookView(profiles: PlaceProfileService, pages: LookPagesService) {
  const { language } = currentPanelRequest();
  const { properties, messages, values, actions } = profileWords(language);
  const profile = await profiles.read();
  const field = (name: (typeof lookFields)[number]) => ({
    label: properties?.[name] ?? name,
    help: messages?.[`${name}Help`] ?? '',
    value: profile[name] ?? '',
  });
  const option = <Value extends string>(name: 'typeface' | 'corners', value: Value) => ({
    value,
    label: values?.[name]?.[value] ?? value,
  });
  return {
    fields: {
      accentColour: field('accentColour'),
      typeface: {
        ...field('typeface'),
        options: typefaces.map((value) => ({ ...option('typeface', value), help: typefaceHelps[language][value] })),
      },
      corners: { ...field('corners'), options: cornerShapes.map((value) => option('corners', value)) },
    },
    usualAccent,
    pictures: (['logo', 'image'] as const).map((name) => ({
      action: name,
      label: actions?.[name] ?? name,
      picture: shownPicture(profile[pictureFields[name]]),
    })),
    preview: `${PANEL_PATH}${lookPreviewPath}`,
    hasEvent: await pages.hasEvent(),
  };
}

/** The view of the component `LookForm`. */
export type LookView = ViewOf<typeof lookView>;

/** The action that chooses the look of the public pages, with a preview. Pictures have actions of their own, which it links to. */
export function lookAction(profiles: PlaceProfileService, pages: LookPagesService): PanelAction {
  return {
    icon: 'Droplet',
    component: 'LookForm',
    view: () => lookView(profiles, pages),
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
