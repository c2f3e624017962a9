/** What the panel says about domains. */
export const domainWords = {
  en: {
    plural: 'Domains',
    singular: 'Domain',
    properties: { host: 'Host', unicode: 'In Unicode', tenantId: 'Tenant', isPrimary: 'Primary' },
    actions: { new: 'New domain', makePrimary: 'Make primary', move: 'Move to another tenant', delete: 'Remove' },
    messages: {
      hostHelp: 'Such as tickets.example.org. Its DNS must lead to this server.',
      makePrimarySure: 'Make this the primary domain? Pages on the tenant’s other domains will lead here.',
      madePrimary: 'This is the primary domain now',
      moved: 'The domain belongs to the other tenant now',
    },
  },
  fr: {
    plural: 'Domaines',
    singular: 'Domaine',
    properties: { host: 'Hôte', unicode: 'En Unicode', tenantId: 'Lieu', isPrimary: 'Principal' },
    actions: { new: 'Nouveau domaine', makePrimary: 'Rendre principal', move: 'Donner à un autre lieu', delete: 'Retirer' },
    messages: {
      hostHelp: 'Par exemple billets.example.org. Son DNS doit mener à ce serveur.',
      makePrimarySure: 'En faire le domaine principal ? Les pages des autres domaines du lieu mèneront ici.',
      madePrimary: 'C’est maintenant le domaine principal',
      moved: 'Le domaine appartient maintenant à l’autre lieu',
    },
  },
};

/** What the form says that moves a domain. */
export const moveWords = {
  en: {
    lead: (host: string) => `${host} will answer for another tenant.`,
    facts: [
      'Every process follows within a second.',
      'Who is signed in to the panel on this host is signed out there; keys and devices stay with the tenant that has them.',
      'Links to this host that were sent by mail lead to the other tenant.',
    ],
    onlyOne: 'This is the only domain of its tenant: give the tenant another one first.',
    slug: 'Short name of the other tenant',
    slugHelp: 'As in the list of tenants.',
    newPrimary: 'New primary domain of the present tenant',
    newPrimaryHelp: 'The domain that moves is its primary one.',
    noTenant: 'There is no tenant of this short name.',
    submit: 'Move the domain',
  },
  fr: {
    lead: (host: string) => `${host} répondra pour un autre lieu.`,
    facts: [
      'Tous les processus suivent en moins d’une seconde.',
      'Les personnes connectées au panneau sur cet hôte y sont déconnectées ; les clés et les appareils restent au lieu qui les possède.',
      'Les liens vers cet hôte déjà envoyés par courriel mèneront à l’autre lieu.',
    ],
    onlyOne: 'C’est le seul domaine de son lieu : donnez-lui en d’abord un autre.',
    slug: 'Nom court de l’autre lieu',
    slugHelp: 'Comme dans la liste des lieux.',
    newPrimary: 'Nouveau domaine principal du lieu actuel',
    newPrimaryHelp: 'Le domaine qui change de lieu est son domaine principal.',
    noTenant: 'Aucun lieu n’a ce nom court.',
    submit: 'Donner le domaine',
  },
};
