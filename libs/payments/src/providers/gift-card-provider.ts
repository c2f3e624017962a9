/**
 * Provider and method of payments with gift cards. Like `venue` it is no class with `OnlineProvider`, because no account has it: value
 * moves within the database. `payment.provider_payment` is the card; triggers move its value with the state of the payment.
 */
export const giftCard = 'gift_card';
