import { type Kysely, sql } from 'kysely'

/** The two senators of each state, which the operator corrects after elections. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table senators (
      state text not null check (state ~ '^[A-Z]{2}$'),
      seat smallint not null check (seat in (1, 2)),
      name text not null check (name <> ''),
      telephone text not null check (telephone ~ '^[0-9]{3}-[0-9]{3}-[0-9]{4}$'),
      correct_on date not null,
      primary key (state, seat)
    );
  `.execute(db)
  const rows = SENATORS.flatMap((entry) => {
    const [state, ...names] = entry.split('|')
    return names.map((name, index) => ({ state, seat: index + 1, name }))
  })
  await sql`
    insert into senators (state, seat, name, telephone, correct_on)
    select state, seat, name, ${CAPITOL_SWITCHBOARD}, ${CORRECT_ON}::date
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (state text, seat smallint, name text)
  `.execute(db)
}

/** Its operator connects to the office of every senator, whoever holds the seat. */
const CAPITOL_SWITCHBOARD = '202-224-3121'
/** The beginning of the 119th Congress, appointments of that month included. */
const CORRECT_ON = '2025-01-31'
const SENATORS = [
  'AL|Katie Britt|Tommy Tuberville',
  'AK|Lisa Murkowski|Dan Sullivan',
  'AZ|Ruben Gallego|Mark Kelly',
  'AR|John Boozman|Tom Cotton',
  'CA|Alex Padilla|Adam Schiff',
  'CO|Michael Bennet|John Hickenlooper',
  'CT|Richard Blumenthal|Chris Murphy',
  'DE|Lisa Blunt Rochester|Chris Coons',
  'FL|Ashley Moody|Rick Scott',
  'GA|Jon Ossoff|Raphael Warnock',
  'HI|Mazie Hirono|Brian Schatz',
  'ID|Mike Crapo|Jim Risch',
  'IL|Tammy Duckworth|Dick Durbin',
  'IN|Jim Banks|Todd Young',
  'IA|Joni Ernst|Chuck Grassley',
  'KS|Roger Marshall|Jerry Moran',
  'KY|Mitch McConnell|Rand Paul',
  'LA|Bill Cassidy|John Kennedy',
  'ME|Susan Collins|Angus King',
  'MD|Angela Alsobrooks|Chris Van Hollen',
  'MA|Ed Markey|Elizabeth Warren',
  'MI|Gary Peters|Elissa Slotkin',
  'MN|Amy Klobuchar|Tina Smith',
  'MS|Cindy Hyde-Smith|Roger Wicker',
  'MO|Josh Hawley|Eric Schmitt',
  'MT|Steve Daines|Tim Sheehy',
  'NE|Deb Fischer|Pete Ricketts',
  'NV|Catherine Cortez Masto|Jacky Rosen',
  'NH|Maggie Hassan|Jeanne Shaheen',
  'NJ|Cory Booker|Andy Kim',
  'NM|Martin Heinrich|Ben Ray Luján',
  'NY|Kirsten Gillibrand|Chuck Schumer',
  'NC|Ted Budd|Thom Tillis',
  'ND|Kevin Cramer|John Hoeven',
  'OH|Jon Husted|Bernie Moreno',
  'OK|James Lankford|Markwayne Mullin',
  'OR|Jeff Merkley|Ron Wyden',
  'PA|John Fetterman|Dave McCormick',
  'RI|Jack Reed|Sheldon Whitehouse',
  'SC|Lindsey Graham|Tim Scott',
  'SD|Mike Rounds|John Thune',
  'TN|Marsha Blackburn|Bill Hagerty',
  'TX|John Cornyn|Ted Cruz',
  'UT|John Curtis|Mike Lee',
  'VT|Bernie Sanders|Peter Welch',
  'VA|Tim Kaine|Mark Warner',
  'WA|Maria Cantwell|Patty Murray',
  'WV|Shelley Moore Capito|Jim Justice',
  'WI|Tammy Baldwin|Ron Johnson',
  'WY|John Barrasso|Cynthia Lummis',
]
