import { paths } from '../../lib/paths.ts'
import { OperatorEmail } from '../../ui/OperatorContact.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import type { TextSection } from '../../ui/TextPage.tsx'

/** The terms on who may use the site and how. */
export const termsForEverybody = (brand: string): readonly TextSection[] => [
  {
    id: 'age',
    title: 'Who may use it',
    body: (
      <>
        <p>
          You must be at least 18 years old, and of age where you live. Looking at this content must be legal
          there. Don’t let anybody younger use your account or see what it opens.
        </p>
        <p>
          Some states require that your age is verified. There, content stays hidden until it is; see{' '}
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
          One person, one account, with correct details and an e-mail address that you read. Keep your
          password to yourself; what is done with your account counts as done by you until you tell us
          otherwise. Write to <OperatorEmail /> if somebody else got in.
        </p>
        <p>
          You can delete your account at any time. It is hidden at once and deleted within 30 days; logging in
          before that undoes it.
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
          <li>harass, threaten, blackmail or insult anybody, or publish their private details,</li>
          <li>copy, record, share or sell what creators publish,</li>
          <li>arrange to meet for sexual services, or pay around the site,</li>
          <li>pretend to be somebody else, or use stolen cards,</li>
          <li>read the site by programs, overload it, or look for ways around its locks,</li>
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
        We may remove content, and suspend or close an account, when these terms or the law are broken. We say
        why, unless the law forbids it, and you can{' '}
        <TextLink to={`${paths.complaints}#appeals`}>appeal</TextLink>. In serious cases we act first.
        Earnings that are not in dispute are paid out; those that come from a breach may be held or paid back
        to buyers.
      </p>
    ),
  },
]
