/** What forms with questions say. */
export const questionTexts = {
  en: {
    nothingAsked: 'The products of this booking ask nothing.',
    requiredOnline: 'Required in online bookings.',
    save: 'Save the answers',
    ticket: (number: number) => `ticket ${number}`,
    required: 'required',
    perTicket: 'for each ticket',
  },
  fr: {
    nothingAsked: 'Les produits de cette réservation ne posent aucune question.',
    requiredOnline: 'Obligatoire dans les réservations en ligne.',
    save: 'Enregistrer les réponses',
    ticket: (number: number) => `billet ${number}`,
    required: 'obligatoire',
    perTicket: 'pour chaque billet',
  },
} as const;

/** What resources with answers say. */
export const answerWords = {
  en: {
    properties: { answers: 'Answers' },
    actions: { answers: 'Answers' },
    messages: { answersSaved: 'Answers saved' },
  },
  fr: {
    properties: { answers: 'Réponses' },
    actions: { answers: 'Réponses' },
    messages: { answersSaved: 'Réponses enregistrées' },
  },
} as const;
