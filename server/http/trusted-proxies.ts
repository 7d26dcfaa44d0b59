import { BlockList, isIP } from 'node:net'
import { StartError } from '../errors.ts'

/** The names that stand for whole networks in `TRUST_PROXY`. */
const NETWORKS: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * Whether an address is one of the operator's own proxies: `setting` is the comma-separated list of addresses and
 * networks of `TRUST_PROXY`, nobody when it is unset. Throws a `StartError` for an entry that is neither.
 */
export function trustedProxies(setting: string | undefined): (address: string | undefined) => boolean {
  const trusted = new BlockList()
  const entries = (setting ?? '').split(',').map((entry) => entry.trim())
  for (const entry of entries.filter(Boolean).flatMap((name) => NETWORKS[name] ?? [name])) add(trusted, entry)
  return (address) => {
    const plain = plainAddress(address ?? '')
    const version = isIP(plain)
    return version !== 0 && trusted.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}

function add(trusted: BlockList, entry: string): void {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  const length = bits === undefined ? most : Number(bits)
  if (version === 0 || length > most) {
    throw new StartError(
      `TRUST_PROXY names “${entry}”, which is no address or network: write it like 10.0.0.5, 10.0.0.0/8 or loopback.`,
    )
  }
  trusted.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6')
}

/** A socket that listens on both families shows an IPv4 peer as `::ffff:…`; a zone is no part of the address. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}
