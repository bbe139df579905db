// Shows the API description with Swagger UI. Requests tried out there are sent with a token or the user's
// session.
const viewer = document.getElementById("viewer");

SwaggerUIBundle({
  url: viewer.dataset.description,
  domNode: viewer,
  deepLinking: true,
  validatorUrl: "none", // do not send the document to another site
  requestInterceptor: (request) => {
    request.headers["X-CSRFToken"] = viewer.dataset.csrf;
    return request;
  },
});
