import type { Language } from '#kernel';
import { scopeNouns } from '#tenancy';
import type { ScopeNoun } from '#tenancy';
import type { ResourceWords } from '#panel-kit';

const nouns: Record<Language, Record<ScopeNoun, string>> = {
  en: {
    event: 'Events and addresses',
    product: 'Products and prices',
    reservation: 'Reservations',
    ticket: 'Tickets',
    membership: 'Memberships',
    place: 'Places',
    webhook: 'Webhooks',
    card: 'NFC cards',
  },
  fr: {
    event: 'Événements et adresses',
    product: 'Produits et tarifs',
    reservation: 'Réservations',
    ticket: 'Billets',
    membership: 'Adhésions',
    place: 'Lieux',
    webhook: 'Webhooks',
    card: 'Cartes NFC',
  },
};

const rights = { en: { read: 'read', write: 'write' }, fr: { read: 'lecture', write: 'écriture' } } as const;

/** Each noun, and each noun with each right. */
function scopeLabels(language: Language): Record<string, string> {
  const pairs = scopeNouns.flatMap((noun) => [
    [noun, nouns[language][noun]],
    // Neither dots nor colons: translations keep those for themselves.
    [`${noun}_read`, `${nouns[language][noun]} (${rights[language].read})`],
    [`${noun}_write`, `${nouns[language][noun]} (${rights[language].write})`],
  ]);
  return Object.fromEntries([...pairs, ...Object.entries(rights[language])]) as Record<string, string>;
}

/** What the panel says of the keys of other programs. */
export const words: Record<Language, ResourceWords> = {
  en: {
    plural: 'API keys',
    singular: 'API key',
    properties: {
      name: 'Name',
      scopes: 'May touch',
      state: 'State',
      expiresAt: 'Valid until',
      allowedAddresses: 'Only from these addresses',
      allowedOrigins: 'Web pages (origins)',
      lastUsedAt: 'Last used',
      owner: 'Made by',
      createdAt: 'Created',
      id: 'Public part',
    },
    values: {
      state: { active: 'Active', expired: 'Expired', suspended: 'Suspended', revoked: 'Revoked' },
      scopes: scopeLabels('en'),
    },
    actions: {
      new: 'New API key',
      reveal: 'New key',
      origins: 'Web pages',
      takeOver: 'Take over',
      revoke: 'Revoke',
    },
    messages: {
      expiresHelp: 'Empty: no end.',
      expiresPast: 'This is past already.',
      addressesHelp: 'One IP address or network (192.0.2.0/24) a line. Empty: from anywhere.',
      originsHelp:
        'One origin a line, such as https://app.example.org: pages of these sites may use the key in browsers, and no other pages. Empty: no page of another site can read its answers.',
      originsLead: 'A key in a web page can be read by everybody who opens it: give it the fewest scopes.',
      originsSubmit: 'Save',
      originsDone: 'Saved: the next request counts',
      revokeSure: 'Revoke this key? Whatever uses it stops working at once. This cannot be undone.',
      revoked: 'Revoked: the key no longer works',
      takeOverSure: 'This key was suspended because its owner lost the right to it. Take it over? It works again, in your name.',
      takenOver: 'The key works again and is yours',
      revealLead: 'Copy this key now: it is shown this once and cannot be read again.',
      revealGone: 'A key is shown once, when it is made. If it was lost, revoke it and make another.',
      noRecordsInResource: 'No API key yet. Other programs need one to read or write here.',
    },
  },
  fr: {
    plural: 'Clés d’API',
    singular: 'Clé d’API',
    properties: {
      name: 'Nom',
      scopes: 'Peut toucher à',
      state: 'État',
      expiresAt: 'Valable jusqu’au',
      allowedAddresses: 'Seulement depuis ces adresses',
      allowedOrigins: 'Pages web (origines)',
      lastUsedAt: 'Dernière utilisation',
      owner: 'Créée par',
      createdAt: 'Créée',
      id: 'Partie publique',
    },
    values: {
      state: { active: 'Active', expired: 'Expirée', suspended: 'Suspendue', revoked: 'Révoquée' },
      scopes: scopeLabels('fr'),
    },
    actions: {
      new: 'Nouvelle clé d’API',
      reveal: 'Nouvelle clé',
      origins: 'Pages web',
      takeOver: 'Reprendre',
      revoke: 'Révoquer',
    },
    messages: {
      expiresHelp: 'Vide : sans fin.',
      expiresPast: 'C’est déjà passé.',
      addressesHelp: 'Une adresse IP ou un réseau (192.0.2.0/24) par ligne. Vide : de partout.',
      originsHelp:
        'Une origine par ligne, par exemple https://app.example.org : les pages de ces sites, et aucune autre, peuvent utiliser la clé dans un navigateur. Vide : aucune page d’un autre site ne peut lire ses réponses.',
      originsLead: 'Une clé dans une page web peut être lue par quiconque l’ouvre : donnez-lui le moins de portées possible.',
      originsSubmit: 'Enregistrer',
      originsDone: 'Enregistré : valable dès la prochaine requête',
      revokeSure: 'Révoquer cette clé ? Ce qui l’utilise s’arrête aussitôt, sans retour possible.',
      revoked: 'Révoquée : la clé ne fonctionne plus',
      takeOverSure:
        'Cette clé est suspendue, car la personne qui l’a créée n’en a plus le droit. La reprendre ? Elle fonctionne à nouveau, à votre nom.',
      takenOver: 'La clé fonctionne à nouveau et vous appartient',
      revealLead: 'Copiez cette clé maintenant : elle n’est affichée qu’une fois et ne pourra plus être lue.',
      revealGone: 'Une clé n’est affichée qu’une fois, à sa création. Si elle est perdue, révoquez-la et créez-en une autre.',
      noRecordsInResource: 'Pas encore de clé d’API. Un autre programme en a besoin pour lire ou écrire ici.',
    },
  },
};
