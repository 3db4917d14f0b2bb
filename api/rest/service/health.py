"""The service's own state: liveness, readiness and metrics."""

from __future__ import annotations

import msgspec
from flask import Response, request
from flask_smorest import Blueprint
from prometheus_client import CONTENT_TYPE_LATEST

from api.rest.admission.auth import require_service_key
from api.rest.description.documentation import operation
from api.rest.description.schemas import Health, Index
from api.rest.problems.problems import not_found
from api.rest.running.context import language, service
from api.rest.service import console
from ledger.store.database.errors import StoreUnavailable

_CERTIFICATE = "application/x-x509-ca-cert"

blueprint = Blueprint("service", __name__, description="The service itself")


@blueprint.route("/")
@blueprint.doc(**operation("index", {200: (Index, "The main addresses of the service.")}, public=True))
def index() -> Response:
    """List the main addresses of the service

    They lead to the API, to its description, and to the checks of the service. A browser that asks for a page
    gets the console.
    """
    # A client that accepts anything gets the addresses.
    if request.accept_mimetypes.best_match(("application/json", "text/html")) == "text/html":
        response = console.page()
    else:
        base = service().config.base_path
        response = _answer(Index("mabligop", base, "/docs", "/openapi.json", "/healthz"))
    response.vary.add("Accept")
    return response


@blueprint.route("/healthz")
@blueprint.doc(**operation("liveness", {200: (Health, "The process runs.")}, public=True))
def liveness() -> Response:
    """Check that the process runs

    It asks nothing of the database: `/readyz` does.
    """
    return _answer(Health("ok"))


@blueprint.route("/readyz")
@blueprint.doc(
    **operation("readiness", {200: (Health, "The database has this version's tables, and writes.")}, public=True)
)
def readiness() -> Response:
    """Check that the database has this version's tables, and writes

    A row is written that belongs to no game, once in two seconds at most. The problem of a database that can write
    nothing has the `reason`: `disk-full`, `read-only` or `no-rights`. A ready service may have `warnings` about
    its settings.
    """
    service().readiness.require()
    return _answer(Health("ok", tuple(warning.in_language(language()) for warning in service().warnings)))


@blueprint.route("/ca.crt")
@blueprint.doc(
    **operation(
        "readAuthority",
        {200: (str, "The certificate, in PEM.")},
        content_type=_CERTIFICATE,
        errors=(404,),
        public=True,
    )
)
def read_authority() -> Response:
    """Read the certificate of the authority that vouches for the service in a home network

    A phone that opens it offers to trust the authority. There is none when the service has a certificate of a
    public authority, or speaks plain HTTP.
    """
    authority = service().config.authority
    if authority is None:
        raise not_found(
            "the service has no authority of its own", "le service n'a pas d'autorité de certification à lui"
        )
    response = Response(authority, content_type=_CERTIFICATE)
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.route("/metrics")
@blueprint.doc(
    **operation(
        "metrics",
        {200: (str, "The metrics in Prometheus' text format.")},
        content_type="text/plain",
        errors=(401,),
        needs_key=False,
    )
)
def metrics() -> Response:
    """Read the metrics of all worker processes

    When the service has a key of its own, it is needed as the bearer token. Without one, everybody may read the
    few metrics that tell nothing of a single game.
    """
    require_service_key()
    public = service().config.creation_key is None
    if not public:
        service().metrics.ready(_is_ready())
    response = Response(service().metrics.exposition(public=public), content_type=CONTENT_TYPE_LATEST)
    response.headers["Cache-Control"] = "no-store"
    return response


def _is_ready() -> bool:
    """Check the database like `readiness`, once in two seconds at most."""
    try:
        service().readiness.require()
    except StoreUnavailable:
        return False
    return True


def _answer(content: msgspec.Struct) -> Response:
    response = Response(msgspec.json.encode(content), content_type="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response
