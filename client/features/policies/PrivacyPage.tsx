import { paths } from '../../lib/paths.ts'
import { OperatorAddress, OperatorEmail } from '../../ui/OperatorContact.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { PolicyPage } from './PolicyPage.tsx'
import { StoredData } from './StoredData.tsx'

/** What is stored about people, why, for how long, and how they get it or have it deleted. */
export function Component() {
  return (
    <PolicyPage
      title="Privacy policy"
      lead="What is kept about you, why, for how long, and how you get it out or have it deleted."
      updated="2026-11-21"
      summary={[
        'We keep what the site needs to work and what the law requires. No advertising, no trackers, no sale of data.',
        'Your card number never reaches us, and where a picture was taken is removed from it.',
        'You can have your data as a download and your account deleted, both within 30 days.',
      ]}
      sections={[
        {
          id: 'who',
          title: 'Who is responsible',
          body: (
            <p>
              Responsible for your data on this site is <OperatorAddress />. Reach us at <OperatorEmail />.
              The site is for people of 18 or older. We keep no data of younger people knowingly, and delete
              it when we learn of it.
            </p>
          ),
        },
        {
          id: 'what',
          title: 'What we keep, and for how long',
          body: <StoredData />,
        },
        {
          id: 'not',
          title: 'What we do not keep',
          body: (
            <ul>
              <li>
                <strong>Card numbers and security codes.</strong> They go from your browser straight to the
                payment company. We get a token, and later the brand and the last four digits.
              </li>
              <li>
                <strong>Your password.</strong> Only a hash of it that can’t be turned back.
              </li>
              <li>
                <strong>Where pictures were taken.</strong> Place, device and other hidden data are removed
                from every upload.
              </li>
              <li>
                <strong>Your IP address in your account or in our logs.</strong> It is used while a request is
                answered, and in counters against abuse that go within a day.
              </li>
              <li>
                <strong>The document of an age check.</strong> Where one is needed, it is done by a provider.
                We keep who did it, how, the result and when it expires.
              </li>
            </ul>
          ),
        },
        {
          id: 'region',
          title: 'Where you are',
          body: (
            <>
              <p>
                Some states ask us to check ages, and creators can hide their profiles in places they choose.
                So we look up the country and region of your IP address, in a database on our own server, each
                time it matters. Neither is stored with you, and your address is sent to nobody.
              </p>
              <p>
                <a href="https://db-ip.com" rel="noreferrer">
                  IP geolocation by DB-IP
                </a>
                , used under the Creative Commons Attribution 4.0 licence.
              </p>
            </>
          ),
        },
        {
          id: 'browser',
          title: 'Cookies and your browser',
          body: (
            <>
              <p>We set these cookies, all needed for the site to work, and none for advertising:</p>
              <ul>
                <li>
                  <strong>age</strong> remembers for a year that you said to be 18 or older.
                </li>
                <li>
                  <strong>media_reader</strong> ties links to pictures and videos to your browser, so that a
                  link that leaks opens nothing. It lasts a year, or until you log out.
                </li>
                <li>
                  <strong>age_visit</strong> ties an age check to your browser, if you make one. It lasts a
                  year.
                </li>
                <li>
                  <strong>color-scheme</strong> holds whether you chose dark or light, for a year, so that
                  pages come in your colours.
                </li>
              </ul>
              <p>
                Your browser also holds, for our pages only: your log-in, whether you like dark or light, the
                referral code of the link you came by, the page to return to after logging in or an age check,
                how far you watched videos, the names of uploads that are not finished, and whether you hid
                the suggested tags. Logging out removes the log-in; clearing the site’s data in your browser
                removes everything.
              </p>
            </>
          ),
        },
        {
          id: 'why',
          title: 'Why we may do this',
          body: (
            <ul>
              <li>To keep our contract with you: your account, what you buy, what you sell.</li>
              <li>
                Because the law requires it: accounts of money, records of age and identity, complaints.
              </li>
              <li>
                Because we have good reason to: keeping the site safe, stopping fraud and abuse, in a way that
                weighs your interests.
              </li>
              <li>With your consent, where we ask for it. You can take it back at any time.</li>
            </ul>
          ),
        },
        {
          id: 'others',
          title: 'Who else sees it',
          body: (
            <>
              <ul>
                <li>
                  <strong>Everybody:</strong> a creator’s username, pictures, profile text and links, and what
                  they publish, as far as they open it. A fan’s profile only if the fan turns that on.
                </li>
                <li>
                  <strong>The creators you follow or buy from:</strong> your username, pictures, profile text
                  and links.
                </li>
                <li>
                  <strong>The creator you buy from:</strong> your username, what you bought, when and for how
                  much. Never your name, e-mail address or card.
                </li>
                <li>
                  <strong>The person who referred you:</strong> your username and the commission that they
                  earned.
                </li>
                <li>
                  <strong>The payment company</strong> that charges cards, the company that carries our mail,
                  and, where an age check is needed, its provider. Each gets only what its task needs.
                </li>
                <li>
                  <strong>The forum,</strong> if you connect your account there, gets what you post through
                  us.
                </li>
                <li>
                  <strong>Authorities,</strong> if the law obliges us. We give what is asked for, not more,
                  and tell you unless we are forbidden to.
                </li>
              </ul>
              <p>Nobody buys data from us. There are no advertisers and no trackers in these pages.</p>
            </>
          ),
        },
        {
          id: 'rights',
          title: 'Getting your data, correcting it, deleting it',
          body: (
            <>
              <p>
                <strong>Correct.</strong> You change most of it yourself in your profile.
              </p>
              <p>
                <strong>Get it.</strong> Ask for a copy of what we hold about you. You get it as a download,
                within 30 days at the latest.
              </p>
              <p>
                <strong>Delete.</strong> Deleting your account stops renewals and hides you at once, and
                deletes your data within 30 days. Logging in before that undoes it. People who bought your
                media are told and can download what they own until then.
              </p>
              <p>
                <strong>Object or restrict.</strong> Tell us what you disagree with and we stop, unless we
                must go on by law.
              </p>
              <p>
                Where you live you may have further rights, such as the GDPR’s in Europe or the CCPA’s in
                California, a complaint to a data protection authority among them. We serve them all at the
                same address, <OperatorEmail />, and treat nobody worse for using them.
              </p>
            </>
          ),
        },
        {
          id: 'kept',
          title: 'What stays after deletion',
          body: (
            <ul>
              <li>Accounts of money, with “Deleted User” in place of your name.</li>
              <li>What others bought from you, as a record of their purchase.</li>
              <li>
                Records of age, identity and consent, as long as the law requires; see our{' '}
                <TextLink to={paths.recordKeeping}>2257 statement</TextLink>.
              </li>
              <li>The logs of complaints and of decisions by our staff.</li>
            </ul>
          ),
        },
        {
          id: 'security',
          title: 'How it is protected',
          body: (
            <>
              <p>
                Connections are encrypted. Passwords are hashed with Argon2id, log-ins and links from mails
                are stored only as hashes, connections to other services are encrypted where they lie. Media
                that you did not open to somebody can’t be reached by any address we hand them.
              </p>
              <p>
                If your data is ever exposed, we tell you and the authorities without delay. If you find a
                weakness, write to <OperatorEmail />; we are grateful and will not go after you for it.
              </p>
            </>
          ),
        },
        {
          id: 'changes',
          title: 'Changes',
          body: (
            <p>
              When we change this policy, the date at the top changes with it. Changes that matter to you we
              announce by e-mail before they take effect.
            </p>
          ),
        },
      ]}
    />
  )
}
