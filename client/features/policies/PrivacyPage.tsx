import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import { OperatorAddress, OperatorEmail } from '../../ui/text-page/OperatorContact.tsx'
import { PolicyPage } from './PolicyPage.tsx'
import { StoredData } from './StoredData.tsx'
import { STORED_IN_BROWSER } from './stored-in-browser.ts'

/** The data stored about people, why, for how long, and how they get it or have it deleted. */
export function Component() {
  return (
    <PolicyPage
      title="Privacy policy"
      lead="What we keep about you, why, for how long, and how to download or delete it."
      updated="2026-11-29"
      summary={[
        'We keep what the site needs to work and what the law requires. No advertising, no trackers, no sale of data.',
        'Your card number never reaches us, and we remove location data from your uploads.',
        'You can download your data and delete your account, both within 30 days.',
      ]}
      sections={[
        {
          id: 'who',
          title: 'Who is responsible',
          body: (
            <p>
              <OperatorAddress /> is responsible for your data on this site. Reach us at <OperatorEmail />.
              The site is for people 18 or older. We don’t knowingly keep data about anyone younger, and we
              delete it when we learn of it.
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
                <strong>Card numbers and security codes.</strong> They go straight from your browser to the
                payment company. We get a token, and later the brand and last four digits.
              </li>
              <li>
                <strong>The address that your card’s bill goes to.</strong> We pass it on to the payment
                company, which has your bank check it. We keep whether it matched, not the address.
              </li>
              <li>
                <strong>Your password.</strong> We only keep a hash of it, which can’t be reversed.
              </li>
              <li>
                <strong>Where photos were taken.</strong> We remove location, device, and other hidden data
                from every upload.
              </li>
              <li>
                <strong>Your IP address in your account or in our logs.</strong> We use it while answering a
                request, and in counters against abuse that are deleted within a day.
              </li>
              <li>
                <strong>The document of an age check.</strong> Where one is needed, a provider does it. We
                keep who did it, how, the result, and when it expires.
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
                Some states require us to check ages, and creators can hide their profiles in regions they
                choose. So we look up the country and region of your IP address, in a database on our own
                server, each time it matters. We don’t store either with your account, and we don’t send your
                address to anyone.
              </p>
              <p>
                <a href="https://db-ip.com" rel="noreferrer">
                  IP geolocation by DB-IP
                </a>
                , used under the Creative Commons Attribution 4.0 license.
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
                  <strong>age</strong> remembers for a year that you said you’re 18 or older.
                </li>
                <li>
                  <strong>media_viewer</strong> ties links to photos and videos to your browser, so a leaked
                  link doesn’t open anything. It lasts a year, or until you log out.
                </li>
                <li>
                  <strong>age_visit</strong> ties an age check to your browser, if you do one. It lasts a
                  year.
                </li>
                <li>
                  <strong>device_</strong> and a code marks a browser in which you logged in before, so
                  someone else’s failed attempts don’t lock you out. It lasts a year.
                </li>
                <li>
                  <strong>color-scheme</strong> remembers for a year whether you chose dark or light mode.
                </li>
              </ul>
              <p>Your browser also stores, for our pages only:</p>
              <ul>
                {STORED_IN_BROWSER.map(({ what }) => (
                  <li key={what}>{what}</li>
                ))}
              </ul>
              <p>
                Logging out removes the login. Clearing the site’s data in your browser removes everything.
              </p>
            </>
          ),
        },
        {
          id: 'why',
          title: 'Why we may do this',
          body: (
            <ul>
              <li>To fulfill our contract with you: your account, what you buy, what you sell.</li>
              <li>
                Because the law requires it: financial records, records of age and identity, and complaints.
              </li>
              <li>
                Because we have a legitimate interest: keeping the site safe and stopping fraud and abuse,
                weighed against your interests.
              </li>
              <li>With your consent, where we ask for it. You can withdraw it at any time.</li>
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
                  <strong>Everyone:</strong> a creator’s username, photos, profile text, and links, and what
                  they publish, as far as they allow. A fan’s profile only if the fan turns that on.
                </li>
                <li>
                  <strong>The creators you follow or buy from:</strong> your username, photos, profile text,
                  and links.
                </li>
                <li>
                  <strong>The creator you buy from:</strong> your username, what you bought, when, and for how
                  much. Never your name, email address, or card.
                </li>
                <li>
                  <strong>The person who referred you:</strong> your username and the commission that they
                  earned.
                </li>
                <li>
                  <strong>The payment company</strong> that charges cards, the company that delivers our
                  email, and, where an age check is needed, its provider. Each gets only what it needs.
                </li>
                <li>
                  <strong>The forum,</strong> if you connect your account there, gets what you post through
                  us.
                </li>
                <li>
                  <strong>Authorities,</strong> if the law requires it. We give only what is asked for, and we
                  tell you unless we’re not allowed to.
                </li>
              </ul>
              <p>No one buys data from us. There are no advertisers and no trackers in these pages.</p>
            </>
          ),
        },
        {
          id: 'rights',
          title: 'Getting your data, correcting it, deleting it',
          body: (
            <>
              <p>
                <strong>Correct.</strong> You can change most of it yourself in your profile.
              </p>
              <p>
                <strong>Get it.</strong> Ask for a copy of what we hold about you. You can download it within
                30 days at the latest.
              </p>
              <p>
                <strong>Delete.</strong> Deleting your account stops renewals and hides you at once, and
                deletes your data within 30 days. Logging in before that undoes it. People who bought your
                media are told and can download what they own until then.
              </p>
              <p>
                <strong>Object or restrict.</strong> Tell us what you disagree with and we’ll stop, unless the
                law requires us to continue.
              </p>
              <p>
                Depending on where you live, you may have more rights, such as those under the GDPR in Europe
                or the CCPA in California, including the right to complain to a data protection authority. To
                use any of them, write to <OperatorEmail />. We never treat anyone worse for using them.
              </p>
            </>
          ),
        },
        {
          id: 'kept',
          title: 'What stays after deletion',
          body: (
            <ul>
              <li>Financial records, with “Deleted User” in place of your name.</li>
              <li>What others bought from you, as a record of their purchase.</li>
              <li>
                Records of age, identity, and consent, as long as the law requires; see our{' '}
                <TextLink to={paths.recordKeeping}>2257 statement</TextLink>.
              </li>
              <li>The logs of complaints and of decisions by our staff.</li>
              <li>
                Files we took down within the last year, until a year after that, as evidence. Nobody can open
                them on the site.
              </li>
              <li>Fingerprints of files we blocked, without whose they were.</li>
            </ul>
          ),
        },
        {
          id: 'security',
          title: 'How we protect it',
          body: (
            <>
              <p>
                Connections are encrypted. Passwords are hashed with Argon2id, logins and emailed links are
                stored only as hashes, and credentials for other services are encrypted at rest. No link we
                give anyone opens media you haven’t shared with them.
              </p>
              <p>
                If your data is ever exposed, we’ll tell you and the authorities without delay. If you find a
                vulnerability, write to <OperatorEmail />. We’ll be grateful and won’t take legal action
                against you for reporting it.
              </p>
            </>
          ),
        },
        {
          id: 'changes',
          title: 'Changes',
          body: (
            <p>
              When we change this policy, the date at the top changes with it. We’ll email you about
              significant changes before they take effect.
            </p>
          ),
        },
      ]}
    />
  )
}
