"""The security headers of every response, and the one of responses over TLS."""

from websockets.http11 import Response

SECURITY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types service-worker",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

HSTS = {"Strict-Transport-Security": "max-age=31536000"}
"""Browsers that came over TLS use only TLS for a year."""


def require_tls(response: Response) -> None:
    """Add the header with which a browser that came over TLS stays with it."""
    for name, value in HSTS.items():
        if name not in response.headers:
            response.headers[name] = value
