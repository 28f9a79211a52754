import * as openid from 'openid-client'
import type { FullParty, PartyAnswer, PartyTokens, PartyWishes } from './party.ts'

/** An application using `openid-client`. */
export async function openidClientParty({ issuer, client, proof }: PartyWishes): Promise<FullParty> {
  const proofs = {
    basic: () => openid.ClientSecretBasic(client.secret),
    post: () => openid.ClientSecretPost(client.secret),
    none: () => openid.None(),
  }
  const options = { execute: [openid.allowInsecureRequests] }
  const config = await openid.discovery(new URL(issuer), client.id, undefined, proofs[proof](), options)
  return {
    async login(parameters = {}) {
      const pkceCodeVerifier = openid.randomPKCECodeVerifier()
      const expectedState = openid.randomState()
      const expectedNonce = openid.randomNonce()
      const maxAge = parameters.max_age === undefined ? undefined : Number(parameters.max_age)
      const address = openid.buildAuthorizationUrl(config, {
        ...{ redirect_uri: client.redirectUri, scope: 'openid email', state: expectedState },
        ...{ nonce: expectedNonce, code_challenge_method: 'S256' },
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        ...parameters,
      })
      return {
        address,
        finish: async (answer) =>
          tokensOf(
            await openid.authorizationCodeGrant(config, requestOf(answer), {
              ...{ pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true },
              ...(maxAge !== undefined && { maxAge }),
            }),
          ),
      }
    },
    refresh: async ({ refreshToken }) => tokensOf(await openid.refreshTokenGrant(config, refreshToken)),
    userInfo: ({ accessToken, claims }) => openid.fetchUserInfo(config, accessToken, String(claims.sub)),
    introspect: async (token) => ({ ...(await openid.tokenIntrospection(config, token)) }),
    revoke: (token) => openid.tokenRevocation(config, token),
    async device(scope) {
      const begun = await openid.initiateDeviceAuthorization(config, { scope })
      const once = { ...begun, interval: 0.01 }
      return {
        userCode: begun.user_code,
        tokens: async () => tokensOf(await openid.pollDeviceAuthorizationGrant(config, once)),
      }
    },
    signOut: async (idToken, returnTo, state) =>
      openid.buildEndSessionUrl(config, {
        ...{ id_token_hint: idToken, post_logout_redirect_uri: returnTo, state },
      }),
  }
}

function requestOf(answer: PartyAnswer): URL | Request {
  if (answer instanceof URL) return answer
  return new Request(answer.action, { method: 'POST', body: new URLSearchParams(answer.fields) })
}

function tokensOf(answer: Awaited<ReturnType<typeof openid.authorizationCodeGrant>>): PartyTokens {
  const { access_token: accessToken, refresh_token: refreshToken = '', id_token: idToken = '' } = answer
  return { accessToken, refreshToken, idToken, claims: answer.claims() ?? {} }
}
