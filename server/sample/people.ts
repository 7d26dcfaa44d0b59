import type { Scene } from './artwork.ts'

/** The invented people of the sample data. Everything they show is drawn by `artwork.ts`. */
export type SampleCreator = {
  username: string
  firstName: string
  bio: string
  menu: string
  limits: string
  link: { text: string; link: string }
  scenes: Scene[]
  plan: { title: string; priceCents: number }
  bundle: { title: string; priceCents: number }
}

const at = (username: string) => ({ text: 'My other pictures', link: `https://example.com/${username}` })

export const CREATORS: readonly SampleCreator[] = [
  {
    username: 'mara',
    firstName: 'Mara',
    bio: 'Ridge lines before sunrise. I walk up in the dark so that you can stay in bed.',
    menu: 'A print-size file of any picture: ask. A short video of a place you name: from $60.',
    limits: 'No people in my pictures.',
    link: at('mara'),
    scenes: ['mountains', 'night'],
    plan: { title: 'First light, every month', priceCents: 999 },
    bundle: { title: 'Twelve summits', priceCents: 1800 },
  },
  {
    username: 'okko',
    firstName: 'Okko',
    bio: 'The same stretch of coast, a thousand times, never twice alike.',
    menu: 'Calm loops for your screen: from $20.',
    limits: 'Only the sea.',
    link: at('okko'),
    scenes: ['sea'],
    plan: { title: 'Tide table', priceCents: 600 },
    bundle: { title: 'Storm week', priceCents: 1250 },
  },
  {
    username: 'ines.clay',
    firstName: 'Ines',
    bio: 'Stoneware and slow afternoons. Every vessel is thrown, fired and photographed by me.',
    menu: 'A video of your own bowl being thrown: $75.',
    limits: 'I do not ship.',
    link: at('ines.clay'),
    scenes: ['pottery'],
    plan: { title: 'The wheel and the kiln', priceCents: 1200 },
    bundle: { title: 'Winter glazes', priceCents: 2400 },
  },
  {
    username: 'theo_dunes',
    firstName: 'Theo',
    bio: 'Sand, wind, patience.',
    menu: 'Large panoramas on request.',
    limits: 'No drones.',
    link: at('theo_dunes'),
    scenes: ['dunes'],
    plan: { title: 'Desert post', priceCents: 450 },
    bundle: { title: 'Forty days', priceCents: 1999 },
  },
  {
    username: 'lin',
    firstName: 'Lin',
    bio: 'A garden on a north-facing balcony, and what grows in it against all advice.',
    menu: 'Planting plans for difficult corners: from $30.',
    limits: 'No advice on lawns.',
    link: at('lin'),
    scenes: ['garden'],
    plan: { title: 'Balcony diary', priceCents: 500 },
    bundle: { title: 'All of June', priceCents: 1100 },
  },
  {
    username: 'stella.nox',
    firstName: 'Stella',
    bio: 'Long exposures from places with no lamps.',
    menu: 'The sky of your birthday: $40.',
    limits: 'Clear nights only.',
    link: at('stella.nox'),
    scenes: ['night'],
    plan: { title: 'Dark sky club', priceCents: 850 },
    bundle: { title: 'Perseids', priceCents: 1600 },
  },
  {
    username: 'bruno',
    firstName: 'Bruno',
    bio: 'Two oceans and a small boat.',
    menu: 'Sound of the sea, one hour: $15.',
    limits: 'Offline for weeks at a time.',
    link: at('bruno'),
    scenes: ['sea', 'night'],
    plan: { title: 'Logbook', priceCents: 700 },
    bundle: { title: 'The crossing', priceCents: 2100 },
  },
  {
    username: 'aya_paper',
    firstName: 'Aya',
    bio: 'Cut-paper landscapes, photographed in layers.',
    menu: 'A landscape from your photograph: $55.',
    limits: 'No portraits.',
    link: at('aya_paper'),
    scenes: ['mountains', 'dunes'],
    plan: { title: 'Layer by layer', priceCents: 900 },
    bundle: { title: 'Folded valleys', priceCents: 1350 },
  },
  {
    username: 'hedda',
    firstName: 'Hedda',
    bio: 'Wild flowers, pressed and unpressed, with their Latin names.',
    menu: 'A herbarium sheet of a flower you choose: $25.',
    limits: 'Nothing that is protected.',
    link: at('hedda'),
    scenes: ['garden', 'pottery'],
    plan: { title: 'Flora weekly', priceCents: 400 },
    bundle: { title: 'Meadow atlas', priceCents: 990 },
  },
  {
    username: 'juno.peak',
    firstName: 'Juno',
    bio: 'High routes, thin air, good soup.',
    menu: 'Route notes and maps with each set.',
    limits: 'I never share where the eagles nest.',
    link: at('juno.peak'),
    scenes: ['mountains'],
    plan: { title: 'Above the clouds', priceCents: 1500 },
    bundle: { title: 'Traverse', priceCents: 2750 },
  },
  {
    username: 'rafael',
    firstName: 'Rafael',
    bio: 'Evening light on quiet water.',
    menu: 'Loops for waiting rooms, licensed: ask.',
    limits: 'No logos.',
    link: at('rafael'),
    scenes: ['sea', 'dunes'],
    plan: { title: 'Golden hour', priceCents: 650 },
    bundle: { title: 'Thirty evenings', priceCents: 1700 },
  },
  {
    username: 'wren',
    firstName: 'Wren',
    bio: 'Small pots, small plants, large windows.',
    menu: 'Ask me anything about light.',
    limits: 'One request at a time.',
    link: at('wren'),
    scenes: ['pottery', 'garden'],
    plan: { title: 'Windowsill', priceCents: 350 },
    bundle: { title: 'Still lives', priceCents: 880 },
  },
]

export const FANS = [
  { username: 'finn', firstName: 'Finn' },
  { username: 'greta', firstName: 'Greta' },
  { username: 'samir', firstName: 'Samir' },
  { username: 'paula', firstName: 'Paula' },
  { username: 'noor', firstName: 'Noor' },
  { username: 'emil', firstName: 'Emil' },
  { username: 'tove', firstName: 'Tove' },
  { username: 'marcel', firstName: 'Marcel' },
  { username: 'ida.k', firstName: 'Ida' },
  { username: 'yusuf', firstName: 'Yusuf' },
  { username: 'lena', firstName: 'Lena' },
  { username: 'oscar', firstName: 'Oscar' },
  { username: 'priya', firstName: 'Priya' },
  { username: 'jonas', firstName: 'Jonas' },
] as const

export const OPERATOR = { username: 'operator', firstName: 'Robin' } as const

const emailOf = (username: string) => `${username}@fanfare.example`

/** The three logins that the start prints and the README names. */
export const sampleLogIns = [
  { role: 'creator', email: emailOf('mara') },
  { role: 'fan', email: emailOf('finn') },
  { role: 'superadmin', email: emailOf(OPERATOR.username) },
] as const

/** The password of the sample accounts while only this machine can reach them. */
export const samplePassword = 'fanfare-sample'
export const sampleEmail = emailOf
