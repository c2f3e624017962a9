import { catalogueFiles, type CatalogueNode } from './catalogue-files.js';
import { forEachLanguage, type Language, type Text } from './language.js';
import type { GroupAt, GroupPath, TextParameters, TextPath } from './text-paths.js';

interface Words<Tree, Group> {
  readonly language: Language;
  /** The texts of the group as in the catalogue. */
  readonly words: Group;
  /** Any text of the catalogue, with parameters. */
  readonly t: (path: TextPath<Tree>, parameters?: TextParameters) => string;
  /** A list or group of texts with `{name}` replaced in each. */
  readonly tree: <Node>(texts: Node, parameters: TextParameters) => Node;
}

/** The texts of one lib, `locales/<language>/<lib>.json`. `Tree` is the shape of the English file. */
export class Catalogue<Tree> {
  constructor(readonly lib: string) {}

  /**
   * One text in one language. Parameters are inserted as they are: the caller escapes them for HTML.
   * @throws TypeError when no catalogue has it
   */
  translate(language: Language, path: TextPath<Tree>, parameters: TextParameters = {}): string {
    const { count } = parameters;
    // `nest: false`: a parameter that contains `$t(…)` stays text.
    const options = { lng: language, ns: this.lib, replace: parameters, nest: false, ...(typeof count === 'number' ? { count } : {}) };
    if (!catalogueFiles.exists(path, options)) throw new TypeError(`locales/*/${this.lib}.json has no text ${path}`);
    return catalogueFiles.t(path, options);
  }

  /** One text in every language. A parameter that is a text itself is inserted in the same language. */
  localized(path: TextPath<Tree>, parameters: Readonly<Record<string, string | number | undefined | Text>> = {}): Text {
    return forEachLanguage((language) => {
      const inLanguage = Object.entries(parameters).map(([name, value]) => [name, typeof value === 'object' ? value[language] : value]);
      return this.translate(language, path, Object.fromEntries(inLanguage) as TextParameters);
    });
  }

  /**
   * A group of texts in every language, such as all texts of a page.
   * @param build replaces texts with parameters by functions
   * @throws TypeError when no catalogue has the group
   */
  perLanguage<Path extends GroupPath<Tree>, Built>(
    path: Path,
    build: (given: Words<Tree, GroupAt<Tree, Path>>) => Built,
  ): Readonly<Record<Language, Built>> {
    return forEachLanguage((language) => {
      const words = catalogueFiles.getResource(language, this.lib, path) as GroupAt<Tree, Path> | undefined;
      if (words === undefined) throw new TypeError(`locales/*/${this.lib}.json has no group ${path}`);
      return build({ language, words, t: (name, parameters) => this.translate(language, name, parameters), tree: fillTexts });
    });
  }
}

/** The same text, list or group with `{name}` replaced in each text. */
export function fillTexts<Node>(texts: Node, parameters: TextParameters): Node {
  return filled(texts as CatalogueNode, parameters) as Node;
}

function filled(node: CatalogueNode, parameters: TextParameters): CatalogueNode {
  if (typeof node === 'string') return catalogueFiles.services.interpolator.interpolate(node, parameters, '', {});
  if (Array.isArray(node)) return node.map((text: string) => filled(text, parameters) as string);
  return Object.fromEntries(Object.entries(node).map(([name, text]) => [name, filled(text, parameters)]));
}
