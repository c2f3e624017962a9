/** What the panel says of addresses that are corrected. */
export const correctionWords = {
  en: {
    email: 'E-mail',
    emailHelp: 'Correct it here when it was mistyped: what is due is sent to the new address.',
    addLead: 'The buyer gave no e-mail address. Write it down, and what is due is sent there.',
    addFact: 'The reservation then counts for the person of this address.',
    lead: {
      reservation: 'Correct the e-mail address of this reservation. What is due is sent to the new one.',
      membership: 'Correct the e-mail address of this membership. The card is sent to the new one.',
    },
    facts: {
      reservation: [
        'Mails to the old address that still wait are not sent; links in those that were sent no longer work.',
        'Tickets that the old address has received stay valid.',
        'The reservation then counts for the person of the new address.',
      ],
      membership: [
        'A mail to the old address that still waits is not sent.',
        'Members’ prices are from now on for who books with the new address.',
      ],
    },
    noServer: 'No mail server is set up: mails are kept on this server and reach nobody.',
    submit: 'Correct and send',
    properties: { emailCorrections: 'Corrections of the e-mail' },
    actions: { correctEmail: 'Correct the e-mail' },
    messages: {
      corrected: 'Corrected. In this state nothing is to be sent.',
      correctedSent: 'Corrected, and on its way to the new address',
      correctedKept: 'Corrected; the mail is kept on this server: there is no mail server',
    },
  },
  fr: {
    email: 'E-mail',
    emailHelp: 'En cas de faute de frappe, corrigez-la ici : ce qui est dû part à la nouvelle adresse.',
    addLead: 'L’acheteur n’a donné aucune adresse e-mail. Notez-la, et ce qui est dû y est envoyé.',
    addFact: 'La réservation compte alors pour la personne de cette adresse.',
    lead: {
      reservation: 'Corriger l’adresse e-mail de cette réservation. Ce qui est dû est envoyé à la nouvelle.',
      membership: 'Corriger l’adresse e-mail de cette adhésion. La carte est envoyée à la nouvelle.',
    },
    facts: {
      reservation: [
        'Les messages en attente pour l’ancienne adresse ne partent pas ; les liens de ceux déjà envoyés ne fonctionnent plus.',
        'Les billets que l’ancienne adresse a reçus restent valables.',
        'La réservation compte alors pour la personne de la nouvelle adresse.',
      ],
      membership: [
        'Un message en attente pour l’ancienne adresse ne part pas.',
        'Les tarifs adhérents sont désormais pour qui réserve avec la nouvelle adresse.',
      ],
    },
    noServer: 'Aucun serveur de messagerie n’est configuré : les messages restent sur ce serveur et n’atteignent personne.',
    submit: 'Corriger et envoyer',
    properties: { emailCorrections: 'Corrections de l’e-mail' },
    actions: { correctEmail: 'Corriger l’e-mail' },
    messages: {
      corrected: 'Corrigé. Dans cet état, il n’y a rien à envoyer.',
      correctedSent: 'Corrigé, et en route vers la nouvelle adresse',
      correctedKept: 'Corrigé ; le message est gardé sur ce serveur : il n’y a pas de serveur de messagerie',
    },
  },
};
