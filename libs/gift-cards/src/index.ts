export { GiftCardsService, type HandIssuedCard, type WholeGiftCard } from './gift-cards.service.js';
export { giftCardEntities, GiftCardsModule } from './gift-cards.module.js';
export { cardAmounts } from './rows/card-amounts.js';
export { codeTail, shownCardCode, type ValuedGiftCard } from './rows/card-rows.js';
export { GiftCard, GiftCardMovement, type GiftCardState, giftCardStates, movementKinds } from './rows/gift-card.entity.js';
export { cardTexts, venueDay } from './rows/wanted-card.js';
export { type BoughtGiftCard, GiftCardPurchasesService, type WantedGiftCard } from './selling/gift-card-purchases.service.js';
export { type ChosenGiftCard, giftCardField, GiftCardRedemptionService } from './selling/gift-card-redemption.service.js';
