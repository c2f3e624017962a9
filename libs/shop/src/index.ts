export { CartLinks } from './order/cart-links.js';
export { OrderLinks } from './order/order-links.js';
export * from './shop.module.js';
