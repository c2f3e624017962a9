import type { Language } from '#kernel';
import type { LifeAct } from '#tenancy';

interface ActWords {
  readonly lead: string;
  readonly facts: string[];
  readonly submit: string;
}

interface LifeWords {
  readonly name: string;
  readonly language: string;
  readonly languages: Readonly<Record<Language, string>>;
  readonly timeZone: string;
  readonly timeZoneHelp: string;
  readonly category: string;
  readonly categoryHelp: string;
  readonly changeLead: string;
  readonly save: string;
  readonly reason: string;
  readonly reasonShown: string;
  readonly reasonKept: string;
  readonly confirmation: (slug: string) => string;
  readonly acts: Readonly<Record<LifeAct, (name: string, days: number) => ActWords>>;
  /** What was done, in the record of changes. */
  readonly done: Readonly<Record<string, string>>;
}

/** What the forms say that change a tenant. */
export const lifeWords: Readonly<Record<Language, LifeWords>> = {
  en: {
    name: 'Name',
    language: 'Language',
    languages: { en: 'English', fr: 'French' },
    timeZone: 'Time zone',
    timeZoneHelp: 'Such as Europe/Paris or Indian/Reunion.',
    category: 'Category',
    categoryHelp: 'Refused while the tenant has what the other category cannot have, such as tickets on sale or devices.',
    changeLead: 'The short name stays as it is. Every process follows within a second.',
    save: 'Save',
    reason: 'Reason',
    reasonShown: 'Shown on the public pages of the tenant, to its staff and to programs.',
    reasonKept: 'Kept in the record of changes.',
    confirmation: (slug) => `Type the short name ${slug} to confirm`,
    acts: {
      suspend: (name) => ({
        lead: `${name} answers nobody until it is resumed.`,
        facts: [
          'Public pages and the API answer 503 with the reason and the contact. Devices at the door do not scan.',
          'Staff can read the panel and change nothing; super-users can.',
          'Mails, webhooks and other background work wait.',
        ],
        submit: 'Suspend',
      }),
      resume: (name) => ({
        lead: `${name} answers again.`,
        facts: ['What waited in the background goes on.'],
        submit: 'Resume',
      }),
      archive: (name) => ({
        lead: `${name} sells nothing any more.`,
        facts: [
          'Public pages say that the place is closed. The API and the panel can be read; nothing is changed.',
          'What was begun before is ended: mails, refunds, webhooks.',
        ],
        submit: 'Archive',
      }),
      restore: (name) => ({
        lead: `${name} is active again, with everything it had.`,
        facts: ['Its domains, keys and devices work as before.'],
        submit: 'Restore',
      }),
      delete: (name, days) => ({
        lead: `${name} disappears now, and all its data in ${days} days.`,
        facts: [
          'Pages, API, panel and doors answer 410 at once, and nothing is sent any more.',
          `For ${days} days it can be restored. Then events, sales, tickets, keys and domains are gone for good.`,
        ],
        submit: 'Delete',
      }),
    },
    done: {
      created: 'Created with the form',
      edited: 'Changed',
      suspended: 'Suspended',
      resumed: 'Resumed',
      archived: 'Archived',
      restored: 'Restored',
      deletion_begun: 'Deletion begun',
      dropped: 'Dropped',
      domain_added: 'Domain added',
      domain_primary: 'Primary domain changed',
      domain_moved: 'Domain moved',
      domain_removed: 'Domain removed',
      support_asked: 'Support visit asked for',
      support_entered: 'Entered as support',
      administrator_granted: 'Administrator added',
      administrator_revoked: 'Administrator removed',
    },
  },
  fr: {
    name: 'Nom',
    language: 'Langue',
    languages: { en: 'Anglais', fr: 'Français' },
    timeZone: 'Fuseau horaire',
    timeZoneHelp: 'Par exemple Europe/Paris ou Indian/Reunion.',
    category: 'Catégorie',
    categoryHelp: 'Refusée tant que le lieu a ce que l’autre catégorie ne peut pas avoir : billets en vente, appareils…',
    changeLead: 'Le nom court reste le même. Tous les processus suivent en moins d’une seconde.',
    save: 'Enregistrer',
    reason: 'Motif',
    reasonShown: 'Affiché sur les pages publiques du lieu, à son équipe et aux programmes.',
    reasonKept: 'Conservé dans le journal des changements.',
    confirmation: (slug) => `Saisissez le nom court ${slug} pour confirmer`,
    acts: {
      suspend: (name) => ({
        lead: `${name} ne répond plus à personne jusqu’à sa reprise.`,
        facts: [
          'Les pages publiques et l’API répondent 503 avec le motif et le contact. Les appareils à l’entrée ne contrôlent plus.',
          'L’équipe peut lire le panneau sans rien modifier ; les super-utilisateurs le peuvent.',
          'Courriels, webhooks et autres tâches de fond attendent.',
        ],
        submit: 'Suspendre',
      }),
      resume: (name) => ({
        lead: `${name} répond de nouveau.`,
        facts: ['Ce qui attendait en arrière-plan reprend.'],
        submit: 'Reprendre',
      }),
      archive: (name) => ({
        lead: `${name} ne vend plus rien.`,
        facts: [
          'Les pages publiques disent que le lieu est fermé. L’API et le panneau peuvent être lus ; rien n’est modifié.',
          'Ce qui avait commencé se termine : courriels, remboursements, webhooks.',
        ],
        submit: 'Archiver',
      }),
      restore: (name) => ({
        lead: `${name} est de nouveau actif, avec tout ce qu’il avait.`,
        facts: ['Ses domaines, clés et appareils fonctionnent comme avant.'],
        submit: 'Restaurer',
      }),
      delete: (name, days) => ({
        lead: `${name} disparaît maintenant, et toutes ses données dans ${days} jours.`,
        facts: [
          'Pages, API, panneau et contrôles répondent 410 aussitôt, et plus rien n’est envoyé.',
          `Pendant ${days} jours, il peut être restauré. Ensuite, événements, ventes, billets, clés et domaines sont perdus.`,
        ],
        submit: 'Supprimer',
      }),
    },
    done: {
      created: 'Créé avec le formulaire',
      edited: 'Modifié',
      suspended: 'Suspendu',
      resumed: 'Repris',
      archived: 'Archivé',
      restored: 'Restauré',
      deletion_begun: 'Suppression commencée',
      dropped: 'Supprimé définitivement',
      domain_added: 'Domaine ajouté',
      domain_primary: 'Domaine principal changé',
      domain_moved: 'Domaine déplacé',
      domain_removed: 'Domaine retiré',
      support_asked: 'Visite de l’assistance demandée',
      support_entered: 'Entrée pour l’assistance',
      administrator_granted: 'Administrateur ajouté',
      administrator_revoked: 'Administrateur retiré',
    },
  },
};

/** What the tenants' resource says beside its own names. */
export const tenantWords = {
  en: {
    properties: { state: 'State', stateReason: 'Reason', stateSince: 'Since', deleteAfter: 'Dropped after', history: 'Changes' },
    actions: {
      change: 'Change',
      enter: 'Enter as support',
      suspend: 'Suspend',
      resume: 'Resume',
      archive: 'Archive',
      restore: 'Restore',
      remove: 'Delete',
    },
    messages: {
      changed: 'The tenant was changed',
      suspendDone: 'The tenant is suspended',
      resumeDone: 'The tenant is active again',
      archiveDone: 'The tenant is archived',
      restoreDone: 'The tenant is active again',
      deleteDone: 'The tenant is being deleted',
    },
  },
  fr: {
    properties: { state: 'État', stateReason: 'Motif', stateSince: 'Depuis', deleteAfter: 'Supprimé après le', history: 'Changements' },
    actions: {
      change: 'Modifier',
      enter: 'Entrer pour l’assistance',
      suspend: 'Suspendre',
      resume: 'Reprendre',
      archive: 'Archiver',
      restore: 'Restaurer',
      remove: 'Supprimer',
    },
    messages: {
      changed: 'Le lieu a été modifié',
      suspendDone: 'Le lieu est suspendu',
      resumeDone: 'Le lieu est de nouveau actif',
      archiveDone: 'Le lieu est archivé',
      restoreDone: 'Le lieu est de nouveau actif',
      deleteDone: 'Le lieu est en cours de suppression',
    },
  },
} as const;
