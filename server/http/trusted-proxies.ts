import proxyAddr from '@fastify/proxy-addr'
import { StartError } from '../errors.ts'

/**
 * Whether an address is one of the operator's own proxies. `setting` is `TRUST_PROXY`: comma-separated addresses and
 * networks; unset trusts nobody. Throws a `StartError` for an entry that is neither.
 */
export function trustedProxies(setting: string | undefined): (address: string | undefined) => boolean {
  const entries = (setting ?? '').split(',').map((entry) => entry.trim())
  const trusts = entries.filter(Boolean).map(trust)
  return (address) => trusts.some((isOneOf) => isOneOf(address ?? '', 0))
}

function trust(entry: string) {
  try {
    // The library also accepts short forms such as `10.0.0`, which don't mean what they seem to.
    if (/^[\d.]+$/.test(entry.split('/')[0] ?? '') && entry.split('.').length !== 4)
      throw new TypeError(entry)
    return proxyAddr.compile(entry)
  } catch {
    throw new StartError(
      `TRUST_PROXY names “${entry}”, which isn’t an address or network: write it like 10.0.0.5, 10.0.0.0/8 or loopback.`,
    )
  }
}
