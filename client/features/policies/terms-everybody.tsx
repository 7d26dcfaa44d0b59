import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import { OperatorEmail } from '../../ui/text-page/OperatorContact.tsx'
import type { TextSection } from '../../ui/text-page/TextPage.tsx'

/** The terms on who may use the site and how. */
export const termsForEverybody = (brand: string): readonly TextSection[] => [
  {
    id: 'age',
    title: 'Who may use it',
    body: (
      <>
        <p>
          You must be at least 18 years old and an adult where you live, and viewing this content must be
          legal there. Don’t let anyone younger use your account or see what’s in it.
        </p>
        <p>
          Some states require us to verify your age. There, content stays hidden until we do; see{' '}
          <TextLink to={paths.restricted}>restricted regions</TextLink>.
        </p>
      </>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <>
        <p>
          One account per person, with accurate details and an email address you check. Keep your password to
          yourself. You’re responsible for what’s done with your account until you tell us otherwise. Write to{' '}
          <OperatorEmail /> if someone else got in.
        </p>
        <p>
          You can delete your account at any time. We hide it right away and delete it within 30 days. Logging
          in before that undoes it.
        </p>
      </>
    ),
  },
  {
    id: 'conduct',
    title: 'How we treat each other',
    body: (
      <>
        <p>On {brand} you may not:</p>
        <ul>
          <li>harass, threaten, blackmail, or insult anyone, or publish their private details,</li>
          <li>copy, record, share, or sell what creators publish,</li>
          <li>arrange to meet for sexual services, or pay outside the site,</li>
          <li>pretend to be someone else, or use stolen cards,</li>
          <li>scrape the site, overload it, or try to bypass its locks,</li>
          <li>
            publish anything that our <TextLink to={paths.contentModeration}>content rules</TextLink> forbid.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'closing',
    title: 'When we close an account',
    body: (
      <p>
        We may remove content, and suspend or close an account, when these terms or the law are broken. We
        tell you why, unless the law forbids it, and you can{' '}
        <TextLink to={`${paths.complaints}#appeals`}>appeal</TextLink>. In serious cases we act first. We pay
        out earnings that aren’t in dispute. Earnings from a breach may be held or refunded to buyers.
      </p>
    ),
  },
]
