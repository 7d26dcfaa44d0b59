import { expect, test } from 'vitest'
import { creatorSections, currentIn } from './creator-sections.ts'

const currentAt = (pathname: string) =>
  creatorSections.flatMap((section) => {
    const current = currentIn(section, pathname)
    return current ? [`${section.label}: ${current}`] : []
  })

test('the places stand in the order of a day', () => {
  expect(creatorSections.map(({ label }) => label)).toEqual([
    'Home',
    'Library',
    'Shop',
    'Messages',
    'Earnings',
    'Promotion',
  ])
})

test('every page that a place lists is in that place, its own page first', () => {
  for (const { to, label, pages } of creatorSections) {
    expect(pages[0]?.to ?? to).toBe(to)
    for (const page of pages)
      expect(currentAt(page.to)).toEqual([`${label}: ${page.to === to ? 'page' : 'true'}`])
  }
})

test.each([
  ['/dashboard', ['Home: page']],
  ['/dashboard/', ['Home: page']],
  ['/dashboard/manage', ['Library: page']],
  ['/dashboard/uploadbulk', ['Library: true']],
  ['/dashboard/edit/media/0195', ['Library: true']],
  ['/dashboard/premiumcontentmanagement', ['Shop: page']],
  ['/dashboard/edit/bundle/0195', ['Shop: true']],
  ['/dashboard/chats', ['Messages: page']],
  ['/dashboard/chat/0195', ['Messages: true']],
  ['/customs', ['Messages: true']],
  ['/dashboard/redditposts', ['Promotion: page']],
  ['/dashboard/plan', ['Promotion: true']],
  ['/dashboard/postingslots', ['Promotion: true']],
  ['/dashboard/postearnings', ['Promotion: true']],
  ['/dashboard/edit/srlist/0195', ['Promotion: true']],
  ['/editsrinfo/Gardens', ['Promotion: true']],
  ['/dashboard/earnings', ['Earnings: page']],
  ['/dashboard/sharedrefs', ['Earnings: true']],
  ['/dashboard/edit', []],
  ['/dashboard/security', []],
])('at %s the creator is in %j and nowhere else', (pathname, sections) => {
  expect(currentAt(pathname)).toEqual(sections)
})
