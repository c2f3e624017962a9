import type { DemoRandom } from './demo-random.js';

/** Languages of the demo's people. */
type SpokenLanguage = 'en' | 'fr';

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
}

export interface Buyer extends Person {
  readonly email: string;
  readonly language: SpokenLanguage;
}

const firstNames: Readonly<Record<SpokenLanguage, readonly string[]>> = {
  fr: words(`Aïcha Amélie Anaïs Antoine Aurélien Bénédicte Benoît Camille Célestin Céline Clémence Cyril Delphine Éléonore Élodie Émile
    Étienne Fabien Fatou Félix Florian Françoise Gaëlle Geneviève Grégoire Hélène Hugo Inès Jean-Baptiste Joëlle Karim Léa Loïc Louise
    Maëlys Malik Manon Marie-Laure Maxime Mélanie Nadège Noémie Océane Pierre-Yves Raphaël Rémi Romane Salomé Sébastien Solène Thaïs
    Théo Valérie Yann Yasmine Zoé`),
  en: words(`Abigail Alastair Amelia Aoife Arthur Beatrice Bridget Callum Caroline Chloe Daisy Dominic Eleanor Ewan Fiona Freya Gareth Gemma
    Graham Harriet Imogen Isaac Isla Jasmine Jonah Josephine Kieran Leila Lewis Lydia Maeve Malcolm Matilda Naomi Niall Nora Oliver Owen
    Penelope Priya Rhiannon Rosalind Rowan Saoirse Siân Sophie Stuart Tabitha Theodore Tobias Wendy Winifred Zadie`),
};

const lastNames: Readonly<Record<SpokenLanguage, readonly string[]>> = {
  fr: words(`Aubry Barthélemy Baudoin Benali Bérard Besançon Blanchet Boisseau Carpentier Chauvière Coulibaly Courtois Delahaye
    Delaunay Desprès Diallo Ducrocq Estève Fauchère Ferreira Fontenay Garnier Gauthier Germain Guérin Haddad Hervé Jacquet Joubert
    Kerbrat Lacroix Lecomte Lefèvre Legendre Maréchal Mariotte Nguyễn Ollivier Pasquier Péron Poirier Prévost Quéméneur Ravel
    Renaudin Sabatier Tessier Thévenot Traoré Vasseur Verdier Weiss`),
  en: words(`Abbott Adeyemi Ashworth Barlow Beckett Blackwood Brennan Calloway Chowdhury Cartwright Davenport Drummond Ellsworth
    Fairweather Fenwick Gallagher Greenwood Hargreaves Holloway Hutchins Iqbal Jessop Kavanagh Kowalczyk Langley Lindqvist Lockhart
    MacLeod Marsden Merriweather Müller Nakamura Norwood O'Connell O'Rourke Okafor Osborne Pemberton Pickering Quigley
    Radcliffe Rutherford Sandoval Stavros Thistlewood Underhill Vance Wainwright Whitaker Winterbourne Yates`),
};

/** The visitors of one tenant: everybody has an own address, and some come repeatedly. */
export class DemoPeople {
  private readonly taken = new Set<string>();
  private readonly regulars: readonly Buyer[];

  constructor(
    private readonly random: DemoRandom,
    private readonly frenchShare: number,
  ) {
    this.regulars = Array.from({ length: 14 }, () => this.newcomer());
  }

  /** Regulars who come to one event, each once. */
  someRegulars(): Buyer[] {
    return this.random.sample(this.regulars, this.random.whole(2, 4));
  }

  newcomer(): Buyer {
    const language = this.language();
    const person = {
      firstName: this.random.pick(firstNames[language]),
      lastName: this.random.pick(lastNames[language]),
    };
    return { ...person, language, email: this.addressOf(person) };
  }

  /** A companion: often a relative. */
  companionOf(buyer: Person): Person {
    const language = this.language();
    const firstName = this.random.pick(firstNames[language]);
    return { firstName, lastName: this.random.chance(0.4) ? buyer.lastName : this.random.pick(lastNames[language]) };
  }

  private language(): SpokenLanguage {
    return this.random.chance(this.frenchShare) ? 'fr' : 'en';
  }

  /** Uses domains that RFC 2606 reserves for examples: no mail is delivered. */
  private addressOf({ firstName, lastName }: Person): string {
    const [first, last] = [asciiOf(firstName), asciiOf(lastName)];
    const name = this.random.pick([`${first}.${last}`, `${first.charAt(0)}.${last}`, `${first}${last.charAt(0)}`, `${last}.${first}`]);
    const host = this.random.pick(['example.org', 'example.com']);
    let email = `${name}@${host}`;
    for (let number = 2; this.taken.has(email); number += 1) email = `${name}${number}@${host}`;
    this.taken.add(email);
    return email;
  }
}

function words(text: string): string[] {
  return text.split(/\s+/);
}

function asciiOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z-]/g, '');
}
