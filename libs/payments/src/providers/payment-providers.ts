import { applyDecorators, Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { isPaidBackByHand } from './paid-back-by-hand.js';
import type { PaymentProvider } from './payment-provider.js';

const Marked = DiscoveryService.createDecorator();

/** Declares a class that extends `PaymentProvider` as a provider of online payments. A module lists it among its providers. */
export const OnlineProvider = (): ClassDecorator => applyDecorators(Injectable(), Marked());

/** Finds all providers with the decorator {@link OnlineProvider}. */
@Injectable()
export class PaymentProviders implements OnModuleInit {
  private found: ReadonlyMap<string, PaymentProvider> | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws Error when two providers have the same name, or one has a name that no address can contain */
  onModuleInit(): void {
    this.byName();
  }

  /** All of them, by name. */
  all(): readonly PaymentProvider[] {
    return [...this.byName().values()];
  }

  /** @returns undefined when this program has no such provider */
  find(name: string): PaymentProvider | undefined {
    return this.byName().get(name);
  }

  private byName(): ReadonlyMap<string, PaymentProvider> {
    return (this.found ??= this.read());
  }

  private read(): ReadonlyMap<string, PaymentProvider> {
    const marked = this.discovery.getProviders({ metadataKey: Marked.KEY }).map(({ instance }) => instance as PaymentProvider);
    const byName = new Map<string, PaymentProvider>();
    for (const provider of marked.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      if (!/^[a-z][a-z0-9-]*$/.test(provider.name) || isPaidBackByHand(provider.name) || byName.has(provider.name))
        throw new Error(`The name of the payment provider "${provider.name}" is taken or unfit.`);
      byName.set(provider.name, provider);
    }
    return byName;
  }
}
