import type { Language, Text } from '#kernel';
import type { ResourceWords } from '#panel-kit';

/** Where a tenant stands with a network; `none`: it never asked. */
export const memberStateLabels: Readonly<Record<string, Text>> = {
  none: { en: 'Not a member', fr: 'Pas membre' },
  asked: { en: 'Asked', fr: 'Demandé' },
  accepted: { en: 'Member', fr: 'Membre' },
  refused: { en: 'Refused', fr: 'Refusé' },
  removed: { en: 'Removed by the network', fr: 'Retiré par le réseau' },
  left: { en: 'Left', fr: 'Parti' },
};

export const memberStateTones = {
  none: 'quiet',
  asked: 'waiting',
  accepted: 'good',
  refused: 'bad',
  removed: 'bad',
  left: 'quiet',
} as const;

/** What the panel of a place says of networks. */
export const networkWords: Record<Language, ResourceWords> = {
  en: {
    plural: 'Networks',
    singular: 'Network',
    properties: {
      name: 'Network',
      host: 'Its agenda',
      state: 'State',
      members: 'Members',
      sentTags: 'Tags that are sent',
      showsOthers: 'Their events on our agenda',
      shownTags: 'Tags that are shown',
      askedAt: 'Asked',
      askedByName: 'Asked by',
      decidedAt: 'Answered',
      leftAt: 'Left',
      id: 'Identifier',
    },
    actions: { ask: 'Ask to join', send: 'What we send', show: 'Details', gather: 'What we show', leave: 'Leave' },
    messages: {
      askLead:
        'The staff of the network decide. Once they accept, your published public events stand on its agenda, with a link to your pages. Private and unpublished events never do.',
      sentTagsHelp: 'Only events with one of these tags, with commas between them. Empty: all your public events.',
      askDo: 'Ask to join',
      askDone: 'Asked: the network answers',
      sendDo: 'Save',
      sendDone: 'Saved',
      gatherLead:
        'Your own agenda can show what the other places of this network send, with where it takes place and a link to their pages.',
      gatherChoice: 'Events of the others on our agenda',
      gatherYes: 'Show them',
      gatherNo: 'Do not show them',
      shownTagsHelp: 'Only events with one of these tags, with commas between them. Empty: everything.',
      gatherDone: 'Saved',
      leaveSure: 'Leave this network? Your events are off its agenda at once.',
      left: 'You have left the network',
      notMember: 'You are not in this network.',
      noRecordsInResource: 'There is no network on this server.',
    },
  },
  fr: {
    plural: 'Réseaux',
    singular: 'Réseau',
    properties: {
      name: 'Réseau',
      host: 'Son agenda',
      state: 'État',
      members: 'Membres',
      sentTags: 'Étiquettes envoyées',
      showsOthers: 'Leurs événements sur notre agenda',
      shownTags: 'Étiquettes affichées',
      askedAt: 'Demandé',
      askedByName: 'Demandé par',
      decidedAt: 'Réponse',
      leftAt: 'Parti',
      id: 'Identifiant',
    },
    actions: {
      ask: 'Demander à rejoindre',
      send: 'Ce que nous envoyons',
      show: 'Détails',
      gather: 'Ce que nous affichons',
      leave: 'Quitter',
    },
    messages: {
      askLead:
        'L’équipe du réseau décide. Dès qu’elle accepte, vos événements publics et publiés figurent dans son agenda, avec un lien vers vos pages. Jamais les événements privés ou non publiés.',
      sentTagsHelp:
        'Seulement les événements portant l’une de ces étiquettes, séparées par des virgules. Vide : tous vos événements publics.',
      askDo: 'Demander à rejoindre',
      askDone: 'Demandé : le réseau répondra',
      sendDo: 'Enregistrer',
      sendDone: 'Enregistré',
      gatherLead:
        'Votre propre agenda peut afficher ce que les autres lieux de ce réseau envoient, en indiquant où cela se passe, avec un lien vers leurs pages.',
      gatherChoice: 'Événements des autres sur notre agenda',
      gatherYes: 'Les afficher',
      gatherNo: 'Ne pas les afficher',
      shownTagsHelp: 'Seulement les événements portant l’une de ces étiquettes, séparées par des virgules. Vide : tous.',
      gatherDone: 'Enregistré',
      leaveSure: 'Quitter ce réseau ? Vos événements disparaissent aussitôt de son agenda.',
      left: 'Vous avez quitté le réseau',
      notMember: 'Vous n’êtes pas dans ce réseau.',
      noRecordsInResource: 'Il n’y a pas de réseau sur ce serveur.',
    },
  },
};

/** What the panel of a network says of its members. */
export const memberWords: Record<Language, ResourceWords> = {
  en: {
    plural: 'Members',
    singular: 'Member',
    properties: {
      name: 'Place',
      category: 'Category',
      host: 'Its agenda',
      state: 'State',
      sentTags: 'Tags that it sends',
      events: 'Coming events',
      askedAt: 'Asked',
      decidedAt: 'Answered',
      decidedByName: 'Answered by',
      leftAt: 'Left',
      id: 'Identifier',
    },
    actions: { accept: 'Accept', refuse: 'Refuse', remove: 'Remove' },
    messages: {
      acceptSure: 'Accept this place? Its public events stand on this agenda in a moment.',
      accepted: 'Accepted: its events come in a moment',
      refuseSure: 'Refuse this place? It can ask again tomorrow.',
      refused: 'Refused',
      removeSure: 'Remove this place? Its events are off this agenda at once, and it can ask again tomorrow.',
      removed: 'Removed: its events are off the agenda',
      changedMeanwhile: 'That is no longer possible: look at its state.',
      noRecordsInResource: 'No place has asked to join yet. Places ask in their own panel, under Networks.',
    },
  },
  fr: {
    plural: 'Membres',
    singular: 'Membre',
    properties: {
      name: 'Lieu',
      category: 'Catégorie',
      host: 'Son agenda',
      state: 'État',
      sentTags: 'Étiquettes envoyées',
      events: 'Événements à venir',
      askedAt: 'Demandé',
      decidedAt: 'Réponse',
      decidedByName: 'Réponse de',
      leftAt: 'Parti',
      id: 'Identifiant',
    },
    actions: { accept: 'Accepter', refuse: 'Refuser', remove: 'Retirer' },
    messages: {
      acceptSure: 'Accepter ce lieu ? Ses événements publics figureront dans cet agenda dans un instant.',
      accepted: 'Accepté : ses événements arrivent dans un instant',
      refuseSure: 'Refuser ce lieu ? Il pourra redemander demain.',
      refused: 'Refusé',
      removeSure: 'Retirer ce lieu ? Ses événements disparaissent aussitôt de cet agenda, et il pourra redemander demain.',
      removed: 'Retiré : ses événements ne sont plus dans l’agenda',
      changedMeanwhile: 'Ce n’est plus possible : regardez son état.',
      noRecordsInResource: 'Aucun lieu n’a encore demandé à rejoindre. Les lieux le font dans leur panneau, sous Réseaux.',
    },
  },
};
